// Shutdown hooks: each connection registers a closure in a slice.
package main

import "fmt"

type Server struct{ hooks []func() }

func (s *Server) OnClose(f func()) { s.hooks = append(s.hooks, f) }

type Conn struct {
	name   string
	buffer [256]byte
}

var server = &Server{}

func open(n int) *Conn {
	c := &Conn{name: fmt.Sprintf("conn %d", n)}
	server.OnClose(func() { c.name = "" })
	return c
}

func main() {
	n := 0
	rounds(func(round int) {
		for i := 0; i < 2000; i++ {
			open(n)
			n++
		}
	})
}
