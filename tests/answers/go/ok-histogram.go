// Counters of fixed size and a pool of buffers, with jobs of changing size.
package main

import (
	"bytes"
	"sync"
)

type Histogram struct{ counts [4096]uint64 }

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func work(histogram *Histogram, n int) {
	buffer := buffers.Get().(*bytes.Buffer)
	buffer.Reset()
	for i := 0; i < n; i++ {
		buffer.WriteString("0123456789")
	}
	histogram.counts[buffer.Len()%4096]++
	buffers.Put(buffer)
}

func main() {
	histograms := make([]Histogram, 40)
	rounds(func(round int) {
		for i := 0; i < 4000; i++ {
			work(&histograms[i%40], (i*7+round*13)%900)
		}
	})
}
