package tools

import "fmt"

// Export is the way out and back in, in parts. Give is a read tool that takes
// {format, cursor}, and answers {<plugin>, next} for the format json, where
// <plugin> is a part: an object of lists, of what there is only one of, and of
// the version of its form, as ExportVersion. For csv it answers {files: [{name, content}], next}; of a file in several parts,
// each begins with the names of the columns. Take is the tool that is given
// {<plugin>}, part after part.
type Export struct {
	Give, Take string
	Lists      []string // in the order in which they come back
	Records    int      // that Take is given at once, at most
	Bytes      int      // of JSON in the lists of one part, at most
}

// ExportVersion names what tells, in each part, which form that has. A file has
// it first, and once; each part that it is cut into has it again.
const ExportVersion = "version"

// checkExport wants both tools of an Exporter to be there and its own.
func (r *Registry) checkExport(p Plugin) error {
	e, ok := p.(Exporter)
	if !ok {
		return nil
	}
	x := e.Export()
	if t := r.tools[x.Give]; t == nil || t.read == nil || r.owner[x.Give].Name() != p.Name() {
		return fmt.Errorf("its export is given by %q, which is no read tool of it", x.Give)
	}
	if t := r.tools[x.Take]; t == nil || t.run == nil || r.owner[x.Take].Name() != p.Name() {
		return fmt.Errorf("its export is taken by %q, which is no writing tool of it", x.Take)
	}
	if x.Records <= 0 || x.Bytes <= 0 || len(x.Lists) == 0 {
		return fmt.Errorf("its export has no lists, or no room for them")
	}
	return nil
}
