// Buffers come from a pool, and a table of routes is built once.
package main

import (
	"bytes"
	"fmt"
	"sync"
)

var pool = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 4096)) }}

type route struct {
	path    string
	handler func(*bytes.Buffer)
}

func routes() map[string]*route {
	table := map[string]*route{}
	for i := 0; i < 300; i++ {
		path := fmt.Sprintf("/api/v1/resource/%d", i)
		table[path] = &route{path, func(out *bytes.Buffer) { fmt.Fprintf(out, "%d", i) }}
	}
	return table
}

func serve(table map[string]*route, path string) int {
	out := pool.Get().(*bytes.Buffer)
	defer pool.Put(out)
	out.Reset()
	table[path].handler(out)
	return out.Len()
}

func main() {
	table := routes()
	rounds(func(round int) {
		for i := 0; i < 30000; i++ {
			serve(table, fmt.Sprintf("/api/v1/resource/%d", i%300))
		}
	})
}
