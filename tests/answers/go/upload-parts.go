package main

// A server that keeps the parts of uploads that nobody finished.

import "strings"

type part struct {
	upload int
	body   []byte
	name   string
}

type uploads struct{ open map[int][]*part }

func (u *uploads) receive(upload int, text string) {
	u.open[upload] = append(u.open[upload], &part{upload: upload, body: []byte(text), name: "part"})
}

func main() {
	u := &uploads{open: map[int][]*part{}}
	rounds(func(round int) {
		for n := 0; n < 300; n++ {
			u.receive(round*300+n, strings.Repeat("x", 3000))
		}
	})
}
