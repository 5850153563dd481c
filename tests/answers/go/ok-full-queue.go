// A queue that is always full drops its oldest message for a new one, and a ring has the last answers. Samples are as few as Go
// takes by itself.
package main

import "fmt"

var _ = sampled(512 << 10)

type message struct {
	topic string
	body  []byte
}

type Broker struct {
	queue   chan *message
	dropped int
}

func (broker *Broker) send(topic string, size int) {
	made := &message{topic: topic, body: make([]byte, size)}
	for {
		select {
		case broker.queue <- made:
			return
		default:
			<-broker.queue
			broker.dropped++
		}
	}
}

type Answers struct {
	ring [3000]*message
	last int
}

func (answers *Answers) keep(topic string) {
	answers.ring[answers.last%len(answers.ring)] = &message{topic: topic, body: []byte(fmt.Sprintf("%2000s", topic))}
	answers.last++
}

func main() {
	broker := &Broker{queue: make(chan *message, 4000)}
	answers := &Answers{}
	rounds(func(round int) {
		for n := 0; n < 9000; n++ {
			topic := fmt.Sprintf("topic-%d-%d", round, n)
			broker.send(topic, 2000+n*7919%4000)
			if n%2 == 0 {
				answers.keep(topic)
			}
		}
	})
	fmt.Println(broker.dropped, answers.last)
}
