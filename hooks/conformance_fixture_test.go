//go:build conformance

package hooks

import (
	"context"
	"encoding/base64"
	"encoding/json/v2"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/nodkeep/nodkeep/assistant/mcp"
)

// What the public conformance suite calls is given by its own names; what must
// be answered is said by its scenarios.

// handling is a fixture: a tool that reads nothing of its arguments.
type handling = func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error)

func says(text string, more ...sdk.Content) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: append([]sdk.Content{&sdk.TextContent{Text: text}}, more...)}
}

func just(r *sdk.CallToolResult) handling {
	return func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) { return r, nil }
}

func bytesOf(encoded string) []byte {
	b, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		panic(err)
	}
	return b
}

func picture() *sdk.ImageContent {
	return &sdk.ImageContent{MIMEType: "image/png", Data: bytesOf("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==")}
}

func embedded(uri, text string) *sdk.EmbeddedResource {
	return &sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: uri, MIMEType: "text/plain", Text: text}}
}

// fieldsOf is a schema of fields, each "name:type".
func fieldsOf(fields ...string) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		name, kind, _ := strings.Cut(f, ":")
		properties[name] = map[string]any{"type": kind}
		required = append(required, name)
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// asksFor asks the client at once, in the generation that has sessions.
func asksFor(message string, schema any) handling {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if message == "" {
			var in struct{ Message string }
			_ = json.Unmarshal(r.Params.Arguments, &in, json.MatchCaseInsensitiveNames(true))
			message = in.Message
		}
		res, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: message, RequestedSchema: schema})
		if err != nil {
			return nil, err
		}
		return says(fmt.Sprintf("Elicitation result: action=%s, content=%v", res.Action, res.Content)), nil
	}
}

// accepted is what a person filled in, nil where there is nothing.
func accepted(responses sdk.InputResponseMap, key string) map[string]any {
	if r, ok := responses[key].(*sdk.ElicitResult); ok && r != nil && r.Action == "accept" {
		return r.Content
	}
	return nil
}

func sampled(responses sdk.InputResponseMap, key string) (string, bool) {
	r, ok := responses[key].(*sdk.CreateMessageWithToolsResult)
	if !ok || r == nil || len(r.Content) == 0 {
		return "", false
	}
	text, ok := r.Content[0].(*sdk.TextContent)
	return text.Text, ok
}

func needs(state string, requests sdk.InputRequestMap) *sdk.CallToolResult {
	return &sdk.CallToolResult{InputRequests: requests, RequestState: state}
}

func fill(message string, fields ...string) *sdk.ElicitParams {
	return &sdk.ElicitParams{Message: message, RequestedSchema: fieldsOf(fields...)}
}

func samplingOf(prompt string) *sdk.CreateMessageParams {
	return &sdk.CreateMessageParams{MaxTokens: 100, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: prompt}}}}
}

// tampered says that the suite has changed a state, which it does by a suffix.
func tampered(state string) bool { return state == "" || strings.HasSuffix(state, "-TAMPERED") }

func badState() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid requestState"}
}

// confirms asks for a yes and looks at the state that comes back.
func confirms(state string, anew bool) handling {
	return func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		yes := accepted(r.Params.InputResponses, "confirm") != nil
		if (yes || (anew && r.Params.RequestState != "")) && tampered(r.Params.RequestState) {
			return nil, badState()
		}
		if yes {
			return says("state-ok: requestState received and confirmation accepted"), nil
		}
		return needs(state, sdk.InputRequestMap{"confirm": fill("Please confirm", "ok:boolean")}), nil
	}
}

// fixtureTools by their names.
func fixtureTools(s *sdk.Server) map[string]handling {
	enum := func(prefix string) []string { return []string{prefix + "1", prefix + "2", prefix + "3"} }
	titled := func() []map[string]any {
		return []map[string]any{{"const": "value1", "title": "First Option"}, {"const": "value2", "title": "Second Option"}, {"const": "value3", "title": "Third Option"}}
	}
	object := func(properties map[string]any) any {
		return map[string]any{"type": "object", "properties": properties}
	}
	return map[string]handling{
		"test_simple_text":            just(says("This is a simple text response for testing.")),
		"test_image_content":          just(&sdk.CallToolResult{Content: []sdk.Content{picture()}}),
		"test_audio_content":          just(&sdk.CallToolResult{Content: []sdk.Content{&sdk.AudioContent{MIMEType: "audio/wav", Data: bytesOf("UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=")}}}),
		"test_embedded_resource":      just(&sdk.CallToolResult{Content: []sdk.Content{embedded("test://embedded-resource", "This is an embedded resource")}}),
		"test_multiple_content_types": just(says("This is text content", picture(), embedded("test://embedded-in-multiple", "This is an embedded resource"))),
		"test_error_handling": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return nil, errors.New("this tool intentionally returns an error for testing")
		},
		"test_tool_with_logging": func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			for _, data := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
				_ = r.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: data}) //nolint:staticcheck // the suite wants it
				time.Sleep(50 * time.Millisecond)
			}
			return says("Tool with logging executed successfully"), nil
		},
		"test_logging_tool": func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			_ = r.Session.Log(ctx, &sdk.LoggingMessageParams{Level: "info", Data: "logged"}) //nolint:staticcheck // as above
			return says("logged, where it was asked for"), nil
		},
		"test_tool_with_progress": func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			token := r.Params.GetProgressToken()
			for _, done := range []float64{0, 50, 100} {
				_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100, Message: fmt.Sprintf("Completed step %.0f of 100", done)})
				time.Sleep(50 * time.Millisecond)
			}
			return says(fmt.Sprint(token)), nil
		},
		"test_sampling": func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			var in struct{ Prompt string }
			_ = json.Unmarshal(r.Params.Arguments, &in, json.MatchCaseInsensitiveNames(true))
			res, err := r.Session.CreateMessage(ctx, samplingOf(in.Prompt)) //nolint:staticcheck // as above
			if err != nil {
				return nil, err
			}
			text, _ := res.Content.(*sdk.TextContent)
			return says("LLM response: " + text.Text), nil
		},
		"test_elicitation": asksFor("", fieldsOf("username:string")),
		"test_elicitation_sep1034_defaults": asksFor("Test defaults for primitives", object(map[string]any{
			"name": map[string]any{"type": "string", "default": "John Doe"}, "age": map[string]any{"type": "integer", "default": 30},
			"score": map[string]any{"type": "number", "default": 95.5}, "verified": map[string]any{"type": "boolean", "default": true},
			"status": map[string]any{"type": "string", "enum": []string{"active", "inactive", "pending"}, "default": "active"},
		})),
		"test_elicitation_sep1330_enums": asksFor("Test enum schemas", object(map[string]any{
			"untitledSingle": map[string]any{"type": "string", "enum": enum("option")},
			"titledSingle":   map[string]any{"type": "string", "oneOf": titled()},
			"legacyEnum":     map[string]any{"type": "string", "enum": enum("opt"), "enumNames": []string{"Option One", "Option Two", "Option Three"}},
			"untitledMulti":  map[string]any{"type": "array", "minItems": 1, "maxItems": 3, "items": map[string]any{"type": "string", "enum": enum("option")}},
			"titledMulti":    map[string]any{"type": "array", "minItems": 1, "maxItems": 3, "items": map[string]any{"type": "string", "anyOf": titled()}},
		})),
		"json_schema_2020_12_tool":   just(says("called")),
		"test_x_mcp_header":          just(says("called")),
		"test_streaming_elicitation": just(says("nothing but notifications and this")),
		"test_reconnection": func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if r.Extra != nil && r.Extra.CloseSSEStream != nil {
				r.Extra.CloseSSEStream(sdk.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
			}
			time.Sleep(100 * time.Millisecond)
			return says("reconnected"), nil
		},
		"test_missing_capability": func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if c := r.ClientCapabilities(); c != nil && c.Sampling != nil {
				return says("the client can sample"), nil
			}
			return nil, &jsonrpc.Error{Code: sdk.CodeMissingRequiredClientCapabilities, Message: "sampling capability required", Data: []byte(`{"requiredCapabilities":{"sampling":{}}}`)}
		},
		"test_trigger_tool_change": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			s.AddTool(fixtureTool("test_transient"), raw(just(says(""))))
			return says("changed"), nil
		},
		"test_trigger_prompt_change": func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			s.AddPrompt(&sdk.Prompt{Description: "A fixture", Name: "test_transient"}, prompts(&sdk.TextContent{}))
			return says("changed"), nil
		},
		"test_input_required_result_elicitation": func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if name, _ := accepted(r.Params.InputResponses, "user_name")["name"].(string); name != "" {
				return says("Hello, " + name + "!"), nil
			}
			return needs("", sdk.InputRequestMap{"user_name": fill("What is your name?", "name:string")}), nil
		},
		"test_input_required_result_sampling": func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if text, ok := sampled(r.Params.InputResponses, "capital_question"); ok {
				return says("Sampling response: " + text), nil
			}
			return needs("", sdk.InputRequestMap{"capital_question": samplingOf("What is the capital of France?")}), nil
		},
		"test_input_required_result_list_roots": func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			if roots, ok := r.Params.InputResponses["client_roots"].(*sdk.ListRootsResult); ok && roots != nil {
				var uris []string
				for _, root := range roots.Roots {
					uris = append(uris, root.URI)
				}
				return says("roots: " + strings.Join(uris, ", ")), nil
			}
			return needs("", sdk.InputRequestMap{"client_roots": &sdk.ListRootsParams{}}), nil
		},
		"test_input_required_result_request_state":  confirms("request_state", false),
		"test_input_required_result_tampered_state": confirms("tampered_state", true),
		"test_input_required_result_multiple_inputs": func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			in := r.Params.InputResponses
			name, _ := accepted(in, "user_name")["name"].(string)
			greeting, greeted := sampled(in, "greeting")
			roots, _ := in["client_roots"].(*sdk.ListRootsResult)
			if name != "" && greeted && roots != nil {
				return says(fmt.Sprintf("%s %s, %d roots", greeting, name, len(roots.Roots))), nil
			}
			return needs("multiple_inputs", sdk.InputRequestMap{
				"user_name": fill("What is your name?", "name:string"), "greeting": samplingOf("Generate a greeting"), "client_roots": &sdk.ListRootsParams{},
			}), nil
		},
		"test_input_required_result_multi_round": func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			name, _ := accepted(r.Params.InputResponses, "step1")["name"].(string)
			switch state := r.Params.RequestState; state {
			case "":
				return needs("round=1", sdk.InputRequestMap{"step1": fill("What is your name?", "name:string")}), nil
			case "round=1":
				return needs("round=2;"+name, sdk.InputRequestMap{"step2": fill("What is your favorite color?", "color:string")}), nil
			default:
				return says(fmt.Sprint(strings.TrimPrefix(state, "round=2;"), " likes ", accepted(r.Params.InputResponses, "step2")["color"])), nil
			}
		},
		"test_input_required_result_capabilities": func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			c, requests := r.ClientCapabilities(), sdk.InputRequestMap{}
			if len(r.Params.InputResponses) > 0 || c == nil {
				return says("done"), nil
			}
			if c.Elicitation != nil {
				requests["user_name"] = fill("What is your name?", "name:string")
			}
			if c.Sampling != nil {
				requests["greeting"] = samplingOf("Generate a short greeting")
			}
			if c.RootsV2 != nil {
				requests["client_roots"] = &sdk.ListRootsParams{}
			}
			if len(requests) == 0 {
				return says("nothing can be asked"), nil
			}
			return needs("", requests), nil
		},
	}
}

// fixtureTool is a tool as it is listed.
func fixtureTool(name string) *sdk.Tool {
	schema := `{"type":"object","properties":{}}`
	switch name {
	case "test_sampling":
		schema = `{"type":"object","properties":{"prompt":{"type":"string"}}}`
	case "test_elicitation":
		schema = `{"type":"object","properties":{"message":{"type":"string"}}}`
	case "test_x_mcp_header":
		schema = `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},"level":{"type":"integer"}}}`
	case "json_schema_2020_12_tool":
		schema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
			"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
			"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
			"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
			"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
			"additionalProperties":false}`
	}
	var v any
	if err := json.Unmarshal([]byte(schema), &v); err != nil {
		panic(err)
	}
	return &sdk.Tool{Name: name, Description: "A fixture of the conformance suite: " + name, InputSchema: v}
}

// raw makes a fixture's error one of the tool, unless it is one of the protocol.
func raw(h handling) sdk.ToolHandler {
	return func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		res, err := h(ctx, r)
		if _, is := errors.AsType[*jsonrpc.Error](err); err == nil || is {
			return res, err
		}
		res = says(err.Error())
		res.IsError = true
		return res, nil
	}
}

func prompts(contents ...sdk.Content) sdk.PromptHandler {
	return func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		res := &sdk.GetPromptResult{}
		for _, c := range contents {
			switch c := c.(type) {
			case *sdk.EmbeddedResource:
				c = embedded(r.Params.Arguments["resourceUri"], c.Resource.Text)
				res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: c})
			case *sdk.TextContent:
				text := strings.NewReplacer("{1}", r.Params.Arguments["arg1"], "{2}", r.Params.Arguments["arg2"]).Replace(c.Text)
				res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: &sdk.TextContent{Text: text}})
			default:
				res.Messages = append(res.Messages, &sdk.PromptMessage{Role: "user", Content: c})
			}
		}
		return res, nil
	}
}

func resources(text string, blob []byte) sdk.ResourceHandler {
	return func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		c := &sdk.ResourceContents{URI: r.Params.URI, MIMEType: "text/plain", Text: text}
		if blob != nil {
			c = &sdk.ResourceContents{URI: r.Params.URI, MIMEType: "image/png", Blob: blob}
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{c}}, nil
	}
}

// fixtures is all that the suite needs of a server.
func fixtures(t *testing.T) *mcp.Fitting {
	const watched = "test://watched-resource"
	fit := &mcp.Fitting{
		Options: func(o *sdk.ServerOptions) {
			o.Capabilities = nil // logging too, which the suite still asks for
			o.CompletionHandler = func(context.Context, *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
				return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{}}}, nil
			}
			o.SubscribeHandler = func(context.Context, *sdk.SubscribeRequest) error { return nil }
		},
		Server: func(s *sdk.Server) {
			for name, h := range fixtureTools(s) {
				s.AddTool(fixtureTool(name), raw(h))
			}
			s.AddResource(&sdk.Resource{Name: "static-text", MIMEType: "text/plain", URI: "test://static-text"}, resources("This is the content of the static text resource.", nil))
			s.AddResource(&sdk.Resource{Name: "static-binary", MIMEType: "image/png", URI: "test://static-binary"}, resources("", picture().Data))
			s.AddResource(&sdk.Resource{Name: "watched-resource", MIMEType: "text/plain", URI: watched}, resources("Watched resource content", nil))
			s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "template", MIMEType: "application/json", URITemplate: "test://template/{id}/data"},
				func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
					id, _, _ := strings.Cut(strings.TrimPrefix(r.Params.URI, "test://template/"), "/")
					return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "application/json", Text: `{"id":"` + id + `","templateTest":true}`}}}, nil
				})
			s.AddPrompt(&sdk.Prompt{Description: "A fixture", Name: "test_simple_prompt"}, prompts(&sdk.TextContent{Text: "This is a simple prompt for testing."}))
			s.AddPrompt(&sdk.Prompt{Description: "A fixture", Name: "test_prompt_with_arguments", Arguments: []*sdk.PromptArgument{{Name: "arg1", Required: true}, {Name: "arg2", Required: true}}},
				prompts(&sdk.TextContent{Text: "Prompt with arguments: arg1='{1}', arg2='{2}'"}))
			s.AddPrompt(&sdk.Prompt{Description: "A fixture", Name: "test_prompt_with_embedded_resource", Arguments: []*sdk.PromptArgument{{Name: "resourceUri", Required: true}}},
				prompts(embedded("", "Embedded resource content for testing."), &sdk.TextContent{Text: "Please process the embedded resource above."}))
			s.AddPrompt(&sdk.Prompt{Description: "A fixture", Name: "test_prompt_with_image"}, prompts(picture(), &sdk.TextContent{Text: "Please analyze the image above."}))
			s.AddPrompt(&sdk.Prompt{Description: "A fixture", Name: "test_input_required_result_prompt"}, func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
				if in := accepted(r.Params.InputResponses, "user_context"); in != nil {
					return prompts(&sdk.TextContent{Text: fmt.Sprint("Context: ", in["context"])})(nil, r)
				}
				return &sdk.GetPromptResult{InputRequests: sdk.InputRequestMap{"user_context": fill("Please provide context for the prompt", "context:string")}}, nil
			})
			go func() {
				tick := time.NewTicker(3 * time.Second)
				defer tick.Stop()
				for {
					select {
					case <-t.Context().Done():
						return
					case <-tick.C:
						_ = s.ResourceUpdated(t.Context(), &sdk.ResourceUpdatedNotificationParams{URI: watched})
					}
				}
			}()
		},
	}
	for name := range fixtureTools(nil) {
		fit.Tools = append(fit.Tools, name)
	}
	return fit
}
