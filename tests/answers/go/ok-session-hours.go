// Sessions end some time after the last request and a sweep takes them out; there are more of them from round to round. Answers are kept in
// a cache by age and number.
package main

import (
	"container/list"
	"fmt"
)

type session struct {
	user  string
	until int
	seen  []string
}

type answer struct {
	path, body string
	until      int
}

type Site struct {
	clock    int
	sessions map[string]*session
	answers  map[string]*list.Element
	order    *list.List
}

func (site *Site) visit(id, path string) {
	found := site.sessions[id]
	if found == nil {
		found = &session{user: "user of " + id}
		site.sessions[id] = found
	}
	found.until = site.clock + 300
	found.seen = append(found.seen, path)
	site.answer(path)
}

func (site *Site) answer(path string) string {
	if element := site.answers[path]; element != nil {
		if kept := element.Value.(*answer); kept.until > site.clock {
			site.order.MoveToFront(element)
			return kept.body
		}
		site.order.Remove(element)
	}
	made := &answer{path: path, body: fmt.Sprintf("<h1>%s</h1><p>made at %d</p>", path, site.clock), until: site.clock + 5000}
	site.answers[path] = site.order.PushFront(made)
	if site.order.Len() > 400 {
		last := site.order.Back()
		delete(site.answers, last.Value.(*answer).path)
		site.order.Remove(last)
	}
	return made.body
}

func (site *Site) sweep() {
	for id, found := range site.sessions {
		if found.until < site.clock {
			delete(site.sessions, id)
		}
	}
}

func main() {
	site := &Site{sessions: map[string]*session{}, answers: map[string]*list.Element{}, order: list.New()}
	perSecond := []int{1, 2, 3, 4}
	last := 0
	rounds(func(round int) {
		for second := 0; second < 1500; second++ {
			site.clock++
			for n := 0; n < perSecond[round]; n++ {
				site.visit(fmt.Sprintf("session-%d", last), fmt.Sprintf("/articles/%d", last%700))
				last++
			}
			if second%20 == 0 {
				site.sweep()
			}
		}
	})
	fmt.Println(len(site.sessions), site.order.Len())
}
