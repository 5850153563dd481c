// Sessions of tenants stay in a map of a server; the requests make garbage as well.
package main

import (
	"fmt"
	"strings"
)

type Session struct {
	id    string
	items []string
	seen  map[string]int
}

type SessionServer struct {
	sessions map[string]*Session
	answers  int
}

func newSession(id string) *Session {
	return &Session{id: id, items: make([]string, 64), seen: map[string]int{id: 1}}
}

func (server *SessionServer) handle(id string) string {
	session := newSession(id)
	server.sessions[id] = session
	server.answers++
	return render(session)
}

func render(session *Session) string {
	var text strings.Builder
	for i := range session.items {
		fmt.Fprintf(&text, "%s-%d;", session.id, i)
	}
	return text.String()
}

func main() {
	server := &SessionServer{sessions: map[string]*Session{}}
	templates := make([]byte, 3<<20)
	n := 0
	rounds(func(round int) {
		for i := 0; i < 600; i++ {
			n += len(server.handle(fmt.Sprintf("tenant-%d-%d", round, i))) & 1
		}
	})
	fmt.Println(len(templates), n, server.answers)
}
