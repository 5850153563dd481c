// Each page that is shown asks to be called when a price changes, and is in the list of the hub from then on.
package main

import "fmt"

type PriceHub struct {
	callbacks []func(symbol string, price float64)
}

func (hub *PriceHub) Subscribe(callback func(symbol string, price float64)) {
	hub.callbacks = append(hub.callbacks, callback)
}

type PortfolioPage struct {
	user   string
	prices map[string]float64
}

func newPortfolioPage(hub *PriceHub, user string) *PortfolioPage {
	page := &PortfolioPage{user: user, prices: make(map[string]float64, 16)}
	hub.Subscribe(func(symbol string, price float64) { page.prices[symbol] = price })
	return page
}

func main() {
	hub := &PriceHub{}
	shown := 0
	rounds(func(round int) {
		for i := 0; i < 1500; i++ {
			page := newPortfolioPage(hub, fmt.Sprintf("user-%d-%d", round, i))
			shown += len(page.user)
		}
	})
	fmt.Println(shown, len(hub.callbacks))
}
