// Each order gets a timer that closes it after a day. An order that was paid leaves its timer running.
package main

import (
	"fmt"
	"time"
)

type Order struct {
	id    string
	lines []string
	paid  bool
}

type Shop struct {
	paid int
}

func (shop *Shop) expireLater(order *Order) {
	time.AfterFunc(24*time.Hour, func() {
		if !order.paid {
			order.lines = nil
		}
	})
}

func (shop *Shop) place(id string) *Order {
	order := &Order{id: id}
	for i := 0; i < 6; i++ {
		order.lines = append(order.lines, fmt.Sprintf("%s: article %d", id, i))
	}
	shop.expireLater(order)
	return order
}

func main() {
	shop := &Shop{}
	rounds(func(round int) {
		for i := 0; i < 1000; i++ {
			shop.place(fmt.Sprintf("order-%d-%d", round, i)).paid = true
			shop.paid++
		}
	})
	fmt.Println(shop.paid)
}
