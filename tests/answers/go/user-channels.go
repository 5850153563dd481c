// A hub has a channel for each user that was ever online, with room for 128 messages.
package main

import "fmt"

type Message struct {
	from, text string
	at         int64
}

type Hub struct {
	channels map[string]chan Message
}

func (hub *Hub) channelOf(user string) chan Message {
	channel, ok := hub.channels[user]
	if !ok {
		channel = make(chan Message, 128)
		hub.channels[user] = channel
	}
	return channel
}

func (hub *Hub) send(user string, message Message) {
	select {
	case hub.channelOf(user) <- message:
	default:
	}
}

func main() {
	hub := &Hub{channels: map[string]chan Message{}}
	words := make([]string, 1<<15)
	rounds(func(round int) {
		for i := 0; i < 400; i++ {
			hub.send(fmt.Sprintf("user-%d-%d", round, i), Message{"shop", "welcome", 1})
		}
	})
	fmt.Println(len(words), len(hub.channels))
}
