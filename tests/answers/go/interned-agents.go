// Names of browsers are kept once each, in a table without a bound; each request brings another.
package main

import (
	"fmt"
	"strings"
	"sync"
)

type Interner struct {
	known sync.Map
}

func (interner *Interner) intern(text string) string {
	kept, _ := interner.known.LoadOrStore(strings.Clone(text), true)
	_ = kept
	return text
}

type Request struct {
	agent string
}

func (request *Request) parse(interner *Interner, line string) {
	request.agent = interner.intern(strings.TrimSpace(line))
}

func main() {
	interner := &Interner{}
	pages := make([][]byte, 64)
	for i := range pages {
		pages[i] = make([]byte, 4096)
	}
	rounds(func(round int) {
		for i := 0; i < 4000; i++ {
			(&Request{}).parse(interner, fmt.Sprintf(" Browser/%d.%d (of a phone of some maker) ", round, i))
		}
	})
	fmt.Println(len(pages))
}
