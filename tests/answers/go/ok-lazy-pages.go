// Templates of 120 pages are compiled when first asked for, rare ones late; durations are counted by page and status, of which there are few,
// and the last 60 minutes stand in a ring.
package main

import (
	"fmt"
	"io"
	"math/rand"
	"strings"
	"text/template"
)

type counts struct {
	buckets [12]uint32
	sum     float64
}

type Pages struct {
	compiled  map[string]*template.Template
	durations map[string]*counts
	minutes   []map[string]int
}

func (pages *Pages) page(name string) *template.Template {
	found := pages.compiled[name]
	if found == nil {
		found = template.Must(template.New(name).Parse("<h1>{{.Title}}</h1>{{range .Lines}}<p>{{.}}, " + strings.Repeat("text ", 12) + "{{$.Title}}</p>{{end}}"))
		pages.compiled[name] = found
	}
	return found
}

func (pages *Pages) serve(name string, minute int) {
	if err := pages.page(name).Execute(io.Discard, map[string]any{"Title": name, "Lines": []string{"one", "two"}}); err != nil {
		panic(err)
	}
	key := fmt.Sprintf("%s %d", name, 200+minute%3)
	found := pages.durations[key]
	if found == nil {
		found = &counts{}
		pages.durations[key] = found
	}
	found.buckets[minute%12]++
	found.sum += float64(minute)
	now := pages.minutes[len(pages.minutes)-1]
	now[name]++
}

func main() {
	pages := &Pages{compiled: map[string]*template.Template{}, durations: map[string]*counts{}, minutes: []map[string]int{{}}}
	random := rand.New(rand.NewSource(5))
	known := []int{60, 84, 102, 114}
	rounds(func(round int) {
		for n := 0; n < 4000; n++ {
			pages.serve(fmt.Sprintf("page-%d", random.Intn(known[round])), n/40)
			if n%40 == 39 {
				pages.minutes = append(pages.minutes, map[string]int{})
				if len(pages.minutes) > 60 {
					pages.minutes = append([]map[string]int(nil), pages.minutes[1:]...)
				}
			}
		}
	})
	fmt.Println(len(pages.compiled))
}
