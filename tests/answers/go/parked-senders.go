// Lookups give up after their time, but the one that answers waits for a reader for ever.
package main

import (
	"fmt"
	"time"
)

type Answer struct {
	body  []byte
	trace []string
}

func fetchAnswer(url string) *Answer {
	answer := &Answer{body: make([]byte, 2000)}
	for i := 0; i < 10; i++ {
		answer.trace = append(answer.trace, fmt.Sprintf("%s step %d", url, i))
	}
	return answer
}

func lookup(url string, patience time.Duration) *Answer {
	answers := make(chan *Answer)
	go func() { answers <- fetchAnswer(url) }()
	select {
	case answer := <-answers:
		return answer
	case <-time.After(patience):
		return nil
	}
}

func main() {
	rounds(func(round int) {
		for i := 0; i < 300; i++ {
			lookup(fmt.Sprintf("http://shop/%d/%d", round, i), 0)
		}
		time.Sleep(100 * time.Millisecond)
	})
}
