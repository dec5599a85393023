package tools

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/filesystem"
)

// Upload is a file among the arguments of a tool: in JSON its name and its
// content in base64. Attach puts it into a record.
type Upload struct {
	Name string `json:"name"`
	Data []byte `json:"data"`
}

// contentBase64 marks what an Upload's content is in a schema.
const contentBase64 = "base64"

func uploadSchema() *jsonschema.Schema {
	return &jsonschema.Schema{
		Type: "object", Required: []string{"name", "data"}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		Properties: map[string]*jsonschema.Schema{
			"name": {Type: "string", Description: "what the file is called"},
			"data": {Type: "string", ContentEncoding: contentBase64, Description: "its content in base64"},
		},
	}
}

// maxUploads is what the arguments of a tool that takes files may have more, in
// bytes: a file of the 5 MB that a field of PocketBase holds unless it says
// otherwise, in base64.
const maxUploads = 7 << 20

// takesFiles says that an Upload is somewhere in the arguments.
func takesFiles(s *jsonschema.Schema) bool {
	if s == nil {
		return false
	}
	if s.ContentEncoding == contentBase64 {
		return true
	}
	for _, p := range s.Properties {
		if takesFiles(p) {
			return true
		}
	}
	return takesFiles(s.Items) || takesFiles(s.AdditionalProperties)
}

// mostOf is what the arguments of that schema may have, in bytes; 0 for what
// holds no file.
func mostOf(s *jsonschema.Schema) int {
	if takesFiles(s) {
		return maxArguments + maxUploads
	}
	return 0
}

// MaxArguments bounds the arguments of one call of the tool, in bytes of JSON.
func (t *Tool) MaxArguments() int { return cmp.Or(t.most, maxArguments) }

// isBase64 is what the decoder takes: padded, and in one line.
func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil && !strings.ContainsAny(s, "\r\n")
}

// Attach puts a file into a field of a record, in place of what is there. It
// is stored with the record. What the field does not take is refused and named:
// nothing, more than its MaxSize, or a type that is not among its MimeTypes,
// judged by the content and never by the name.
func (c *Call) Attach(rec *core.Record, field string, u Upload) error {
	f, ok := rec.Collection().Fields.GetByName(field).(*core.FileField)
	if !ok {
		return fmt.Errorf("%s.%s takes no files", rec.Collection().Name, field)
	}
	refuse := func(key string, args ...any) error {
		return Fail(Invalid, "error.arguments", T(key, append([]any{fieldName(field)}, args...)...))
	}
	if len(u.Data) == 0 {
		return refuse("upload.empty")
	}
	most := f.MaxSize
	if most <= 0 {
		most = core.DefaultFileFieldMaxSize
	}
	if int64(len(u.Data)) > most {
		return refuse("upload.large", len(u.Data), most)
	}
	if is := mimetype.Detect(u.Data); len(f.MimeTypes) > 0 && !slices.ContainsFunc(f.MimeTypes, is.Is) {
		return refuse("upload.type", is.String(), strings.Join(f.MimeTypes, ", "))
	}
	file, err := filesystem.NewFileFromBytes(u.Data, path.Base(strings.ReplaceAll(u.Name, `\`, "/")))
	if err != nil {
		return err
	}
	rec.Set(field, file)
	return nil
}
