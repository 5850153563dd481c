// Reports are cached by user and span of time. The span ends now, to the second, so that a report is hardly ever found again; the load rises.
package main

import (
	"fmt"
	"strings"
	"sync"
)

type span struct {
	user     int
	from, to int64
}

type report struct {
	title string
	rows  []string
}

type Reports struct {
	mu      sync.RWMutex
	cached  map[span]*report
	waiting map[int]*report
}

func (reports *Reports) build(key span) *report {
	built := &report{title: fmt.Sprintf("user %d from %d to %d", key.user, key.from, key.to)}
	for n := int64(0); n < 4+key.from%3; n++ {
		built.rows = append(built.rows, strings.Repeat("#", int(key.from%20)+n2(n))+fmt.Sprint(key.to))
	}
	return built
}

func n2(n int64) int { return int(n) * 2 }

func (reports *Reports) get(key span) *report {
	reports.mu.RLock()
	found := reports.cached[key]
	reports.mu.RUnlock()
	if found == nil {
		found = reports.build(key)
		reports.mu.Lock()
		reports.cached[key] = found
		reports.mu.Unlock()
	}
	return found
}

func main() {
	reports := &Reports{cached: map[span]*report{}, waiting: map[int]*report{}}
	now := int64(1_700_000_000)
	rounds(func(round int) {
		for n := 0; n < 3000+500*round; n++ {
			now += int64(n % 2)
			reports.waiting[n%(50+40*round)] = reports.get(span{n % 90, now - 86400, now})
		}
	})
	fmt.Println(len(reports.cached))
}
