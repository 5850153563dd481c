// The lines of an audit are collected in a buffer that is written when the program ends.
package main

import (
	"bytes"
	"fmt"
)

type Audit struct {
	pending bytes.Buffer
	lines   int
}

func (audit *Audit) Record(user, action string) {
	fmt.Fprintf(&audit.pending, "%s did %s\n", user, action)
	audit.lines++
}

type Accounts struct {
	audit    *Audit
	balances map[string]int
}

func (accounts *Accounts) Transfer(from, to string, amount int) {
	accounts.balances[from] -= amount
	accounts.balances[to] += amount
	accounts.audit.Record(from, fmt.Sprintf("a transfer of %d to %s", amount, to))
}

func main() {
	accounts := &Accounts{audit: &Audit{}, balances: map[string]int{}}
	rounds(func(round int) {
		for i := 0; i < 20000; i++ {
			accounts.Transfer(fmt.Sprintf("account-%d", i%50), fmt.Sprintf("account-%d", (i+round)%50), i)
		}
	})
	fmt.Println(accounts.audit.lines, accounts.audit.pending.Len())
}
