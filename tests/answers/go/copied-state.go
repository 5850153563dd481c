// Copy-on-write state of ever more items: each copy anew.
package main

import "fmt"

type Item struct {
	key   string
	price int
	tags  [4]int
}
type State struct{ items []*Item }
type Store struct{ state *State }

func (s *Store) Dispatch(add func(*State)) {
	next := &State{items: make([]*Item, 0, len(s.state.items)+50)}
	for _, item := range s.state.items {
		next.items = append(next.items, clone(item))
	}
	add(next)
	s.state = next
}
func clone(item *Item) *Item { c := *item; return &c }

var store = &Store{&State{}}

func main() {
	n := 0
	rounds(func(round int) {
		for i := 0; i < 20; i++ {
			store.Dispatch(func(s *State) {
				for k := 0; k < 50; k++ {
					n++
					s.items = append(s.items, &Item{key: fmt.Sprint("item ", n), price: n})
				}
			})
		}
	})
}
