// Buffers come from a pool and go back to it; a fixed table of counters is kept.
package main

import (
	"bytes"
	"fmt"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type Counters struct {
	byRoute map[string]*[32]int
}

func (counters *Counters) serve(route string, n int) int {
	buffer := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buffer)
	buffer.Reset()
	fmt.Fprintf(buffer, "answer %d of %s", n, route)
	if counters.byRoute[route] == nil {
		counters.byRoute[route] = new([32]int)
	}
	counters.byRoute[route][n%32]++
	return buffer.Len()
}

func main() {
	counters := &Counters{byRoute: map[string]*[32]int{}}
	total := 0
	rounds(func(round int) {
		for i := 0; i < 20000; i++ {
			total += counters.serve(fmt.Sprintf("/route/%d", i%300), i)
		}
	})
	fmt.Println(total, len(counters.byRoute))
}
