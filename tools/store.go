package tools

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
	"fmt"
	"reflect"
)

// Store writes cards, changes and other values that hold texts so that Restore
// gives them back whole: a Text keeps its key and the types of its arguments,
// and can be said in any language later.
func Store(v any) ([]byte, error) {
	return json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), json.WithMarshalers(json.JoinMarshalers(
		json.MarshalFunc(func(t Text) ([]byte, error) { return storeText(t) }),
		json.MarshalFunc(func(w Words) ([]byte, error) { return storeText(Text(w)) }),
	)))
}

// Restore reads what Store wrote.
func Restore(b []byte, v any) error {
	return json.Unmarshal(b, v, jsontext.AllowInvalidUTF8(true), json.WithUnmarshalers(json.JoinUnmarshalers(
		json.UnmarshalFunc(func(b []byte, t *Text) (err error) {
			*t, err = restoreText(b)
			return err
		}),
		json.UnmarshalFunc(func(b []byte, w *Words) error {
			t, err := restoreText(b)
			*w = Words(t)
			return err
		}),
	)))
}

// storedText is a Text as it is stored.
type storedText struct {
	Key  string      `json:"k"`
	Args []storedArg `json:"a,omitempty"`
}

// storedArg is an argument with its type; a plain string has none.
type storedArg struct {
	Type     string         `json:"t,omitzero"`
	Value    jsontext.Value `json:"v"`
	Currency string         `json:"c,omitzero"`
}

func storeText(t Text) ([]byte, error) {
	s := storedText{Key: t.Key}
	for _, arg := range t.Args {
		a, err := storeArg(arg)
		if err != nil {
			return nil, err
		}
		s.Args = append(s.Args, a)
	}
	return json.Marshal(s, jsontext.AllowInvalidUTF8(true))
}

func storeArg(arg any) (a storedArg, err error) {
	var v any
	switch arg := arg.(type) {
	case string:
		v = arg
	case Text:
		a.Type, v = "text", arg
	case Words:
		a.Type, v = "words", Text(arg)
	case []Text:
		a.Type, v = "texts", arg
	case Date:
		a.Type, v = "date", arg.String()
		if arg.IsZero() {
			v = ""
		}
	case Money:
		a.Type, a.Currency, v = "money", arg.Currency, arg.Decimal()
	case Decimal:
		a.Type, v = "decimal", string(arg)
	case Personal:
		a.Type, v = "personal", string(arg)
	default:
		switch n := reflect.ValueOf(arg); {
		case n.CanInt():
			a.Type, v = "int", n.Int()
		case n.CanUint():
			a.Type, v = "uint", n.Uint()
		default:
			v = fmt.Sprint(arg) // as every reader would see it
		}
	}
	a.Value, err = Store(v)
	return a, err
}

func restoreText(b []byte) (Text, error) {
	var s storedText
	if err := json.Unmarshal(b, &s, jsontext.AllowInvalidUTF8(true)); err != nil {
		return Text{}, err
	}
	t := Text{Key: s.Key}
	for _, a := range s.Args {
		arg, err := a.restore()
		if err != nil {
			return Text{}, err
		}
		t.Args = append(t.Args, arg)
	}
	return t, nil
}

func (a storedArg) restore() (any, error) {
	switch a.Type {
	case "text":
		return restored[Text](a.Value)
	case "words":
		t, err := restored[Text](a.Value)
		return Words(t), err
	case "texts":
		return restored[[]Text](a.Value)
	case "int":
		n, err := restored[int64](a.Value)
		return int(n), err
	case "uint":
		n, err := restored[uint64](a.Value)
		return uint(n), err
	}
	s, err := restored[string](a.Value)
	if err != nil {
		return nil, err
	}
	switch a.Type {
	case "":
		return s, nil
	case "date":
		if s == "" {
			return Date{}, nil
		}
		return ParseDate(s)
	case "money":
		return ParseMoney(s, a.Currency)
	case "decimal":
		return Decimal(s), nil
	case "personal":
		return Personal(s), nil
	}
	return nil, fmt.Errorf("a stored text has an argument of type %q", a.Type)
}

func restored[T any](b []byte) (v T, err error) {
	err = Restore(b, &v)
	return v, err
}
