// Lines of a trace are written to a buffer in memory, which is to be sent at the end.
package main

import (
	"bytes"
	"fmt"
	"strings"
)

type tracer struct {
	out bytes.Buffer
}

func (t *tracer) line(format string, args ...any) {
	fmt.Fprintf(&t.out, format+"\n", args...)
}

func handle(t *tracer, request int) int {
	words := strings.Fields(strings.Repeat("one two ", 20))
	t.line("request %d has %d words, and its header was %s", request, len(words), strings.Repeat("h", 60))
	return len(words)
}

func main() {
	trace := &tracer{}
	rounds(func(round int) {
		for i := 0; i < 8000; i++ {
			handle(trace, round*8000+i)
		}
	})
	fmt.Println(trace.out.Len())
}
