// What was seen is in two maps: when the new one has four thousand names it becomes the old one, and the old one goes.
package main

import "fmt"

type Seen struct {
	fresh, old map[string]*Visit
	twice      int
}

type Visit struct {
	name string
	at   [4]int64
}

func newSeen() *Seen {
	return &Seen{fresh: make(map[string]*Visit, 4096), old: make(map[string]*Visit, 4096)}
}

func (seen *Seen) visit(name string, at int64) {
	if known := seen.fresh[name]; known != nil {
		known.at[at%4] = at
		seen.twice++
		return
	}
	if len(seen.fresh) == 4000 {
		seen.old, seen.fresh = seen.fresh, make(map[string]*Visit, 4096)
	}
	seen.fresh[name] = &Visit{name: name, at: [4]int64{at}}
}

func main() {
	seen := newSeen()
	counts := []int{9000, 11500, 10200, 12700}
	rounds(func(round int) {
		for n := 0; n < counts[round]; n++ {
			seen.visit(fmt.Sprintf("visitor-%d-%d", round, n), int64(n))
		}
	})
	fmt.Println(seen.twice)
}
