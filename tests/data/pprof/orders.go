// Writes three heap profiles of a program that leaks: go run orders.go orders-1.pb.gz orders-2.pb.gz orders-3.pb.gz
package main

import (
	"bytes"
	"os"
	"runtime"
	"runtime/pprof"
	"strings"
)

type order struct {
	id    int
	lines []byte
}

var (
	journal []*order           // grows
	prices  = map[int][]byte{} // is exchanged
	page    bytes.Buffer       // is full from the beginning
	depth   [][]byte
)

func note(id int) *order {
	o := &order{id: id, lines: make([]byte, 2048)}
	return o
}

func buy(n int) {
	for i := 0; i < n; i++ {
		journal = append(journal, note(i))
	}
}

func sell(n int) {
	for i := 0; i < n; i++ {
		journal = append(journal, note(-i))
	}
}

func quote() {
	prices = map[int][]byte{}
	for i := 0; i < 300; i++ {
		prices[i] = make([]byte, 1024)
	}
}

func render() {
	page.Reset()
	page.WriteString(strings.Repeat("<li>order</li>", 40000))
}

func nest(n int) {
	depth = append(depth, make([]byte, 512))
	if n > 0 {
		nest(n - 1)
	}
}

func main() {
	runtime.MemProfileRate = 4096
	for i, name := range os.Args[1:] {
		buy(400)
		sell(100)
		if i == 0 {
			nest(100)
		}
		quote()
		render()
		runtime.GC()
		f, _ := os.Create(name)
		pprof.Lookup("heap").WriteTo(f, 0)
		f.Close()
	}
}
