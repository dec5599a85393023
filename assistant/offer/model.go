package offer

import (
	"encoding/json/jsontext"
	"encoding/json/v2"

	"github.com/nodkeep/nodkeep/assistant/screen"
	"github.com/nodkeep/nodkeep/tools"
)

// The tools of a model that its turn runs.
const (
	FindName   = "find_tools"
	UseName    = "use_tool"
	AskName    = "ask_person"
	ScreenName = "show_screen"

	ActivityName = "activity_list"
	UndoName     = "undo"
)

// Model lists the tools that a model has beside those of every agent: Menu
// finds, the rest is for whoever runs its turn.
func Model() []Own { return []Own{findTools(), useTool(), askPerson(), showScreen()} }

// FindIn is what find_tools is called with.
type FindIn struct {
	Words string `json:"words" jsonschema:"what is to be done, in a few words of any language: rename a category"`
	Limit int    `json:"limit,omitzero" jsonschema:"how many at most: 5 by default, up to 10"`
}

func findTools() Own {
	return defined[FindIn](tools.Def{
		Name: FindName, Title: "offer.tool.find_tools", Effect: tools.EffectRead,
		Help: "Finds more tools. You are shown only the most used ones: when none of them does what is wanted, look here before you say that it cannot be done. Answers names, what each does, and the schema of its arguments. Call what you found by use_tool.",
	})
}

// UseIn is what use_tool is called with.
type UseIn struct {
	Name string                    `json:"name" jsonschema:"of the tool, as find_tools gives it"`
	Args map[string]jsontext.Value `json:"args,omitempty" jsonschema:"its arguments, as its schema says"`
}

// Invocation is the call that is meant.
func (in UseIn) Invocation() (tools.Invocation, error) { return invocation(in.Name, in.Args) }

func useTool() Own {
	return defined[UseIn](tools.Def{
		Name: UseName, Title: "offer.tool.use_tool", Effect: tools.EffectRead,
		Help: "Calls a tool that find_tools has found: its name, and args as its schema says. The person may be asked first where it changes something.",
	})
}

// ScreenIn is what show_screen is called with.
type ScreenIn struct {
	Tool    string                    `json:"tool" jsonschema:"name of the reading tool"`
	Args    map[string]jsontext.Value `json:"args,omitempty" jsonschema:"its arguments, as its schema says"`
	Form    string                    `json:"form" jsonschema:"table; bars or line for amounts in groups or over time; total for a single figure"`
	Columns []string                  `json:"columns,omitempty" jsonschema:"fields of the answer to show, in this order; all that fit by default"`
}

// Invocation is the call whose answer is shown.
func (in ScreenIn) Invocation() (tools.Invocation, error) { return invocation(in.Tool, in.Args) }

func showScreen() Own {
	o := defined[ScreenIn](tools.Def{
		Name: ScreenName, Title: "offer.tool.show_screen", Effect: tools.EffectRead,
		Help: "Shows the person a table or a chart of what a reading tool answers now. Use it where they want to see a list, to compare, or to follow amounts over time. Beside it say in a sentence or two what it tells, and do not repeat its rows.",
	})
	for _, form := range screen.Forms() {
		o.Input.Properties["form"].Enum = append(o.Input.Properties["form"].Enum, form)
	}
	return o
}

func invocation(tool string, args map[string]jsontext.Value) (tools.Invocation, error) {
	if args == nil {
		args = map[string]jsontext.Value{}
	}
	raw, err := json.Marshal(args, json.Deterministic(true))
	return tools.Invocation{Tool: tool, Args: raw}, err
}
