// When the limits are read anew the handler is wrapped once more, and each wrapper has the table of its time.
package main

import "fmt"

type Handler func(path string) int

type Limits struct {
	perPath map[string]int
}

func readLimits(version int) *Limits {
	limits := &Limits{perPath: make(map[string]int)}
	for i := 0; i < 120; i++ {
		limits.perPath[fmt.Sprintf("/api/v%d/resource/%d", version, i)] = i + version
	}
	return limits
}

type Gateway struct {
	handler Handler
	names   []string
}

func (gateway *Gateway) reload(version int) {
	limits, next := readLimits(version), gateway.handler
	gateway.handler = func(path string) int {
		if limit, found := limits.perPath[path]; found {
			return limit
		}
		return next(path)
	}
}

func main() {
	gateway := &Gateway{handler: func(path string) int { return 429 }}
	for i := 0; i < 4000; i++ {
		gateway.names = append(gateway.names, fmt.Sprintf("host-%d.example.org", i))
	}
	rounds(func(round int) {
		for i := 0; i < 30; i++ {
			gateway.reload(round*30 + i)
		}
	})
	fmt.Println(gateway.handler("/health"), len(gateway.names))
}
