package bridge

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxEvent is the largest answer that is carried, in bytes.
const maxEvent = 64 << 20

// events calls each with the data of every event of a stream of Server-Sent
// Events, and gives nil at its proper end. Only the fields that MCP uses are
// read; ids and retry times are for streams that can be taken up again.
func events(stream io.Reader, each func(data []byte)) error {
	r := bufio.NewReaderSize(stream, 32<<10)
	var data []byte
	var some bool
	for {
		line, err := wholeLine(r)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		line = bytes.TrimRight(line, "\r\n")
		switch field, value, _ := bytes.Cut(line, []byte(":")); {
		case len(line) == 0:
			if some && len(data) > 0 {
				each(data)
			}
			data, some = nil, false
		case string(field) == "data":
			if some {
				data = append(data, '\n')
			}
			data, some = append(data, bytes.TrimPrefix(value, []byte(" "))...), true
			if len(data) > maxEvent {
				return fmt.Errorf("an event is larger than %d MiB", maxEvent>>20)
			}
		}
		if err != nil {
			return nil // what has no empty line after it is no event
		}
	}
}

// wholeLine reads a line of any length up to that of an event.
func wholeLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxEvent {
			return nil, fmt.Errorf("a line is longer than %d MiB", maxEvent>>20)
		}
	}
}
