// Sessions are put at the end of a list, and marked as closed when they end; the list is never gone over.
package main

import (
	"container/list"
	"fmt"
)

type Session struct {
	user   string
	closed bool
	roles  [6]string
}

type Sessions struct {
	opened *list.List
}

func (sessions *Sessions) open(user string) *Session {
	session := &Session{user: user}
	sessions.opened.PushBack(session)
	return session
}

func main() {
	sessions := &Sessions{opened: list.New()}
	rounds(func(round int) {
		for i := 0; i < 3000; i++ {
			sessions.open(fmt.Sprintf("user-%d-%d", round, i)).closed = true
		}
	})
	fmt.Println(sessions.opened.Len())
}
