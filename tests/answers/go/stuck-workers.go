package main

// Each request starts a goroutine that waits for an answer that never comes, with its buffer.

import "time"

type request struct {
	id     int
	buffer []byte
}

func prepare(id int) *request {
	return &request{id: id, buffer: make([]byte, 4096)}
}

func wait(r *request, answers chan int) {
	r.buffer[0] = byte(<-answers)
	println(r.id)
}

func main() {
	rounds(func(round int) {
		for n := 0; n < 250; n++ {
			go wait(prepare(n), make(chan int))
		}
		time.Sleep(50 * time.Millisecond)
	})
}
