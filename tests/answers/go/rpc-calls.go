// A client asks a service by net/rpc and waits at most for a moment. The service answers some questions never, and the client keeps the call for its answer.
package main

import (
	"fmt"
	"net"
	"net/rpc"
	"time"
)

type Question struct {
	ID    string
	Words []string
}

type Answer struct{ Words int }

type Library struct{ asked int }

func (library *Library) Ask(question *Question, answer *Answer) error {
	library.asked++
	if question.Words[0] == "hard" {
		select {}
	}
	answer.Words = len(question.Words)
	return nil
}

type Reader struct {
	client *rpc.Client
	lost   int
}

func (reader *Reader) ask(question *Question) int {
	answer := new(Answer)
	call := reader.client.Go("Library.Ask", question, answer, make(chan *rpc.Call, 1))
	select {
	case <-call.Done:
		return answer.Words
	case <-time.After(2 * time.Millisecond):
		reader.lost++
		return 0
	}
}

func question(id, kind string) *Question {
	words := make([]string, 12)
	for n := range words {
		words[n] = fmt.Sprintf("word %d of %s", n, id)
	}
	words[0] = kind
	return &Question{ID: id, Words: words}
}

func main() {
	server := rpc.NewServer()
	if err := server.Register(&Library{}); err != nil {
		panic(err)
	}
	here, there := net.Pipe()
	go server.ServeConn(there)
	reader := &Reader{client: rpc.NewClient(here)}
	rounds(func(round int) {
		for n := 0; n < 400; n++ {
			kind := "easy"
			if n%2 == 0 {
				kind = "hard"
			}
			reader.ask(question(fmt.Sprintf("question-%d-%d", round, n), kind))
		}
	})
	fmt.Println(reader.lost)
}
