// Requests are counted by user in a map of package expvar, which operators may look at. Users come without an account, and get a new name each time.
package main

import (
	"expvar"
	"fmt"
)

type Gate struct {
	requests *expvar.Map
	last     *expvar.Map
	passed   int
}

func (gate *Gate) pass(user, path string) {
	gate.requests.Add(user, 1)
	text := new(expvar.String)
	text.Set(path)
	gate.last.Set(user, text)
	gate.passed++
}

func main() {
	gate := &Gate{requests: expvar.NewMap("requests"), last: expvar.NewMap("last")}
	rounds(func(round int) {
		for n := 0; n < 3000; n++ {
			gate.pass(fmt.Sprintf("guest-%d-%d", round, n), fmt.Sprintf("/articles/%d", n%50))
		}
	})
	fmt.Println(gate.passed)
}
