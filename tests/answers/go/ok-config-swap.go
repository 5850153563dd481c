// The table of routes is built anew from the settings every minute and put in the place of the old one.
package main

import (
	"fmt"
	"sync/atomic"
)

type Route struct {
	path     string
	backends []string
	weights  map[string]int
}

type Table struct {
	version int
	routes  map[string]*Route
}

type Proxy struct {
	table atomic.Pointer[Table]
}

func loadTable(version int) *Table {
	table := &Table{version: version, routes: map[string]*Route{}}
	for i := 0; i < 800+version%3*10; i++ {
		route := &Route{path: fmt.Sprintf("/service/%d", i), weights: map[string]int{}}
		for n := 0; n < 4; n++ {
			backend := fmt.Sprintf("10.0.%d.%d", i%250, n)
			route.backends = append(route.backends, backend)
			route.weights[backend] = n
		}
		table.routes[route.path] = route
	}
	return table
}

func (proxy *Proxy) Reload(version int) { proxy.table.Store(loadTable(version)) }

func main() {
	proxy := &Proxy{}
	rounds(func(round int) {
		for i := 0; i < 12; i++ {
			proxy.Reload(round*12 + i)
		}
	})
	fmt.Println(len(proxy.table.Load().routes))
}
