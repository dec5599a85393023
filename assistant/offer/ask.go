package offer

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/nodkeep/nodkeep/tools"
)

// What a form of questions holds at most.
const (
	mostQuestions = 4
	mostChoices   = 8
	longQuestion  = 200 // letters
	longChoice    = 80
)

// AskIn is what ask_person is called with.
type AskIn struct {
	Questions []AskQuestion `json:"questions" jsonschema:"up to 4"`
}

// AskQuestion is one of them.
type AskQuestion struct {
	Text    string   `json:"text" jsonschema:"in the person's language, up to 200 letters"`
	Choices []string `json:"choices,omitempty" jsonschema:"up to 8 short answers to pick from; none where any text will do"`
}

func askPerson() Own {
	return defined[AskIn](tools.Def{
		Name: AskName, Title: "offer.tool.ask_person", Effect: tools.EffectRead,
		Help: "Asks the person what you must know to go on and no tool can tell: up to four questions in one form, which ends your turn. Never ask whether to do what they asked for: call the tool, and they are shown a card to agree to.",
	})
}

// Form is the questions as they may be shown: each text in one line, without
// what nobody sees. What is empty, too many or too long is refused.
func (in AskIn) Form() ([]AskQuestion, error) {
	if n := len(in.Questions); n == 0 || n > mostQuestions {
		return nil, tools.Fail(tools.Invalid, "offer.ask.questions", mostQuestions)
	}
	form := make([]AskQuestion, len(in.Questions))
	for i, q := range in.Questions {
		text, err := line(q.Text, longQuestion)
		if err != nil {
			return nil, err
		}
		if len(q.Choices) > mostChoices {
			return nil, tools.Fail(tools.Invalid, "offer.ask.choices", mostChoices)
		}
		form[i] = AskQuestion{text, []string{}}
		for _, c := range q.Choices {
			if c, err = line(c, longChoice); err != nil {
				return nil, err
			}
			if !slices.Contains(form[i].Choices, c) {
				form[i].Choices = append(form[i].Choices, c)
			}
		}
	}
	return form, nil
}

// line is a text of a model in one line.
func line(s string, most int) (string, error) {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), unicode.IsSpace(r):
			return ' '
		case tools.Hides(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if strings.Trim(s, tools.Joiners+" ") == "" {
		return "", tools.Fail(tools.Invalid, "offer.ask.empty")
	}
	if utf8.RuneCountInString(s) > most {
		return "", tools.Fail(tools.Invalid, "offer.ask.long", tools.Quoted(s, 40), most)
	}
	return s, nil
}
