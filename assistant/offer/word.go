package offer

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Plain are the words of a text without case and accents.
func Plain(text string) []string {
	text = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.ToValidUTF8(text, " ")))
	return strings.FieldsFunc(strings.ReplaceAll(text, "ß", "ss"), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// wordsOf are those words as they are compared: ä, ae and a are the same.
func wordsOf(text string) []string {
	words := Plain(text)
	spelt := strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")
	for i, w := range words {
		// At its end it is no umlaut: due, que.
		if last := len(w) - 1; strings.HasSuffix(w, "e") && last > 0 {
			words[i] = spelt.Replace(w[:last]) + "e"
		} else {
			words[i] = spelt.Replace(w)
		}
	}
	return words
}

// asked are the words that are worth looking for, each once; all of them where
// none is.
func asked(text string, idle map[string]bool) (words []string) {
	all := wordsOf(text)
	slices.Sort(all)
	all = slices.Compact(all)
	for _, w := range all {
		if !idle[w] {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return all
	}
	return words
}

// idle are words that say nothing of what is wanted.
const idle = `a an and any are as at be by can could do does did for from go has have how i if in into is it its many me much must my of on or our
please shall she he should so some than that the their them then there these they this those to us was we were what when which who will with would you your want need tool
aber alle als am an auch auf aus bei bitte bis da das dass dein dem den der des die dies diese doch du ein eine einem einen einer er es fur
haben hat habe ich ihr im in ist ja kann konnen man mein meine meinen meiner meinem mich mir mit mochte muss nach nicht noch nur ob oder sein sich sie sind so uber um und uns unser unsere viel viele
vom von vor war was wenn wer wie will wir wird wo zu zum zur geht gibt
al algo como con cual cuando cuanta cuanto de del desde donde el ella en es esa ese esta este esto estan fue ha hay la las le les lo los me mi mis nos nuestra nuestro o para pero
por porque puedo que quiero se si sin sobre son su sus te tengo tiene tu un una uno y ya`
