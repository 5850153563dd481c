// A consumer puts the number of each message into its context, and goes on with that context: each is the child of the one before.
package main

import (
	"context"
	"fmt"
)

type key int

const (
	messageKey key = iota
	tenantKey
)

type Message struct {
	tenant string
	body   []byte
}

type Meta struct {
	id      string
	headers [6]string
}

type Consumer struct {
	ctx     context.Context
	handled int
}

func (consumer *Consumer) consume(id string, message *Message) {
	meta := &Meta{id: id}
	for n := range meta.headers {
		meta.headers[n] = id
	}
	consumer.ctx = context.WithValue(consumer.ctx, messageKey, meta)
	consumer.ctx = context.WithValue(consumer.ctx, tenantKey, message.tenant)
	consumer.handle(message)
}

func (consumer *Consumer) handle(message *Message) {
	if meta, ok := consumer.ctx.Value(messageKey).(*Meta); ok && meta.id != "" {
		consumer.handled += len(message.body)
	}
}

func main() {
	consumer := &Consumer{ctx: context.Background()}
	rounds(func(round int) {
		for n := 0; n < 2500; n++ {
			consumer.consume(fmt.Sprintf("message-%d-%d", round, n), &Message{tenant: fmt.Sprintf("tenant-%d", n%9), body: make([]byte, 128)})
		}
	})
	fmt.Println(consumer.handled)
}
