package main

// Keeps the last 256 frames.

type frame struct {
	number int
	pixels []byte
}

type ring struct {
	frames [256]*frame
	next   int
}

func (r *ring) add(number int) {
	r.frames[r.next] = &frame{number: number, pixels: make([]byte, 2048)}
	r.next = (r.next + 1) % len(r.frames)
}

func main() {
	r := &ring{}
	rounds(func(round int) {
		for n := 0; n < 900; n++ {
			r.add(n)
		}
	})
}
