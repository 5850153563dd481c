// Sessions live for a while and a janitor takes out the old ones; the load rises, so that more are alive. Workers borrow buffers from a pool, and
// the tariffs of 30 countries are kept once read.
package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
)

type session struct {
	id      string
	user    string
	expires int
	cart    []string
}

type Shop struct {
	mu       sync.Mutex
	sessions map[string]*session
	tariffs  map[string][]string
	buffers  sync.Pool
	clock    int
}

func (shop *Shop) login(number, lifetime int) *session {
	shop.mu.Lock()
	defer shop.mu.Unlock()
	entry := &session{id: fmt.Sprintf("session-%d", number), user: fmt.Sprintf("user-%d", number%900), expires: shop.clock + lifetime}
	shop.sessions[entry.id] = entry
	return entry
}

func (shop *Shop) tariff(country string) []string {
	if shop.tariffs[country] == nil {
		for n := 0; n < 40; n++ {
			shop.tariffs[country] = append(shop.tariffs[country], fmt.Sprintf("%s: class %d, %s", country, n, strings.Repeat("x", n)))
		}
	}
	return shop.tariffs[country]
}

func (shop *Shop) sweep() {
	shop.mu.Lock()
	defer shop.mu.Unlock()
	for id, entry := range shop.sessions {
		if entry.expires <= shop.clock {
			delete(shop.sessions, id)
		}
	}
}

func (shop *Shop) page(entry *session) int {
	buffer := shop.buffers.Get().(*bytes.Buffer)
	defer shop.buffers.Put(buffer)
	buffer.Reset()
	for _, line := range shop.tariff(fmt.Sprintf("country-%d", len(entry.id)*7%30)) {
		buffer.WriteString(line)
	}
	return buffer.Len()
}

func main() {
	shop := &Shop{sessions: map[string]*session{}, tariffs: map[string][]string{}}
	shop.buffers.New = func() any { return &bytes.Buffer{} }
	last := 0
	rounds(func(round int) {
		for tick := 0; tick < 500; tick++ {
			shop.clock++
			for n := 0; n < 4+3*round; n++ {
				entry := shop.login(last, 120)
				entry.cart = append(entry.cart, fmt.Sprintf("article %d", last%70))
				shop.page(entry)
				last++
			}
			if tick%10 == 9 {
				shop.sweep()
			}
		}
	})
	fmt.Println(len(shop.sessions))
}
