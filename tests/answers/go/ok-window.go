// A window of 60 minutes; traffic rises; 80 minutes a round.
package main

import "fmt"

type Sum struct {
	hits  int
	paths [16]int
}
type Minute struct {
	at    int
	users map[string]*Sum
}

var window []*Minute

func main() {
	minute := 0
	rounds(func(round int) {
		for m := 0; m < 80; m++ {
			minute++
			now := &Minute{minute, map[string]*Sum{}}
			for i := 0; i < 40+10*round; i++ {
				user := fmt.Sprint("u", (minute*37+i*11)%900)
				if now.users[user] == nil {
					now.users[user] = &Sum{}
				}
				now.users[user].hits++
			}
			window = append(window, now)
			if len(window) > 60 {
				window = append([]*Minute(nil), window[1:]...)
			}
		}
	})
}
