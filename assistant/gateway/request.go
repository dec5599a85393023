package gateway

import (
	"encoding/json/jsontext"
	"slices"
	"sort"
)

// Request is one question to a model, with all that was said before.
type Request struct {
	System    []Block
	Messages  []Message
	Tools     []Tool // sent in the order of their names
	Effort    Effort // "" leaves it to the host
	MaxOutput int    // tokens, reasoning included; 8192 unless given
	Person    string // an opaque id for the host's own field; never a name or address
	CacheKey  string // the same for requests that begin alike
	Whole     bool   // the answer in one piece, for hosts that cannot stream
	Meter     Meter  // may be nil
}

// Block is a piece of the instructions. Cache says that requests stay the same
// up to its end.
type Block struct {
	Text  string
	Cache bool
}

// Role is who speaks in a message.
type Role string

// The roles. What tools answered has one of its own.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tools     Role = "tool"
)

// Message is one turn of a conversation.
type Message struct {
	Role    Role
	Parts   []Part       // of a user
	Text    string       // of an assistant
	Calls   []Call       // of an assistant
	Raw     *Raw         // of an assistant: Result.Raw, as it came
	Results []ToolResult // of tools: one for each call of the message before, in order
	Cache   bool         // requests stay the same up to its end
}

// Media is what a Part is.
type Media string

// The media. A picture is PNG, JPEG, GIF or WebP.
const (
	Text  Media = "text"
	Image Media = "image"
	PDF   Media = "pdf"
)

// Part is a piece of what a person says or shows.
type Part struct {
	Media Media
	Text  string
	Type  string // of a picture, such as image/png
	Name  string // of a file
	Data  []byte
	Pages int // of a PDF; 0 if nobody counted
}

// Call is a tool that a model wants to be called. ID is the host's, or made
// where it gave none. Args is one JSON object; nil where Invalid, which is to be
// told to the model, never repaired.
type Call struct {
	ID, Name string
	Args     jsontext.Value
	Invalid  bool
}

// ToolResult is what became of a call.
type ToolResult struct {
	Call  string // ID
	Text  string
	Error bool
}

// Tool is one that a model may call. Schema is JSON Schema of an object.
type Tool struct {
	Name, Description string
	Schema            jsontext.Value
}

// byName are tools in the order of their names, so that requests begin alike.
func byName(all []Tool) []Tool {
	all = slices.Clone(all)
	// Not by package slices: its stable sort is made anew for each type, and large.
	sort.SliceStable(all, func(i, j int) bool { return all[i].Name < all[j].Name })
	return all
}

// Raw is an assistant's message as its host wrote it, byte for byte: content
// blocks (Anthropic), one message (OpenAI), output items (Responses). It means
// something only to the host and model it is from.
type Raw struct {
	Protocol    Protocol
	Host, Model string
	Items       []jsontext.Value
}

// Effort is how much a model is to think.
type Effort string

// The efforts, from little to much. A host that knows fewer gets the next lower.
const (
	Low    Effort = "low"
	Medium Effort = "medium"
	High   Effort = "high"
	XHigh  Effort = "xhigh"
	Max    Effort = "max"
)

// Efforts are all of them, in this order.
func Efforts() []Effort { return []Effort{Low, Medium, High, XHigh, Max} }
