package bridge

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxKept is how long a line may be for its id to be looked for, so that the
// refusal names it.
const maxKept = 64 << 20

// errTooLong is a line that is longer than a message may be.
var errTooLong = fmt.Errorf("the message is larger than %d MiB, the most that one may have; give large content by an upload link", maxLine>>20)

// readLine gives the next line that is not empty, without its end. A line that
// is too long for its id to be looked for comes without its rest.
func readLine(r *bufio.Reader) ([]byte, error) {
	for {
		var line []byte
		for {
			part, err := r.ReadSlice('\n')
			if len(line) <= maxKept {
				line = append(line, part...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, err
			}
			if line = bytes.TrimSpace(line); len(line) > 0 {
				return line, nil // what ends without a line break is said next time
			}
			if err != nil {
				return nil, err
			}
			break
		}
	}
}

// read takes lines until there are no more.
func (b *Bridge) read() error {
	r := bufio.NewReaderSize(b.In, 64<<10)
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("read from the client: %w", err)
		}
		b.take(line)
	}
}

// take begins with what a line says.
func (b *Bridge) take(line []byte) {
	if len(line) > maxKept {
		b.refuse("", codeInvalid, errTooLong)
		return
	}
	m, err := parse(line)
	switch {
	case errors.Is(err, errNoJSON):
		b.refuse("", codeParse, err)
	case err != nil:
		b.refuse(m.id, codeInvalid, err)
	case len(line) > maxLine:
		b.refuseAll(m, codeInvalid, errTooLong)
	default:
		b.carry(m)
	}
}
