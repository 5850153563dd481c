// A worker waits for a message or for a minute, by time.After: with many messages there are as many timers, each for its minute.
package main

import (
	"fmt"
	"time"
)

type Message struct {
	id   string
	body []byte
}

type Consumer struct {
	queue   chan *Message
	handled int
}

func (consumer *Consumer) next() *Message {
	select {
	case message := <-consumer.queue:
		return message
	case <-time.After(time.Hour):
		return nil
	}
}

func (consumer *Consumer) drain() {
	for len(consumer.queue) > 0 {
		if message := consumer.next(); message != nil {
			consumer.handled += len(message.body)
		}
	}
}

func main() {
	consumer := &Consumer{queue: make(chan *Message, 100)}
	rounds(func(round int) {
		for i := 0; i < 80; i++ {
			for n := 0; n < 50; n++ {
				consumer.queue <- &Message{id: fmt.Sprintf("message-%d-%d-%d", round, i, n), body: make([]byte, 64)}
			}
			consumer.drain()
		}
	})
	fmt.Println(consumer.handled)
}
