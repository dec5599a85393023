package upload

import "github.com/nodkeep/nodkeep/tools"

// bankPlugin takes files in every way that a tool can.
type bankPlugin struct{}

func (bankPlugin) Name() string { return "bank" }

type pictureIn struct {
	ID    string       `json:"id,omitzero"`
	Logo  tools.Upload `json:"logo,omitzero"`
	Clear bool         `json:"clear,omitzero"`
	All   []struct {
		Logo tools.Upload `json:"logo"`
	} `json:"all,omitempty"`
}

type ratesIn struct {
	File string `json:"file" jsonschema:"text of a file"`
}

type homeOut struct {
	Currency string `json:"currency"`
}

func (bankPlugin) Tools() []tools.Tool {
	def := func(name string, effect tools.Effect) tools.Def {
		return tools.Def{Name: "bank_" + name, Title: "uploads.title.import", Help: name, Effect: effect}
	}
	rates := tools.New(def("rates", tools.EffectWrite), func(*tools.Call, ratesIn) (struct{}, error) { return struct{}{}, nil })
	rates.Input.Properties["file"].ContentMediaType = "text/plain"
	return []tools.Tool{
		tools.NewRead(def("home", tools.EffectRead), func(*tools.Reader, struct{}) (homeOut, error) { return homeOut{"EUR"}, nil }),
		tools.NewRead(def("match", tools.EffectRead), func(_ *tools.Reader, in tools.ImportRows) (tools.ImportRows, error) {
			for i := range in.Subscriptions {
				in.Subscriptions[i].Status = tools.StatusNew
			}
			return in, nil
		}),
		tools.New(def("apply", tools.EffectWrite), func(_ *tools.Call, in tools.ImportRows) (tools.ImportRows, error) { return in, nil }),
		tools.New(def("picture", tools.EffectWrite), func(*tools.Call, pictureIn) (struct{}, error) { return struct{}{}, nil }),
		rates,
	}
}

func (bankPlugin) Imports() []tools.Import {
	return []tools.Import{{Name: "bank", Title: "uploads.title.import", Match: "bank_match", Apply: "bank_apply", Home: "bank_home"}}
}
