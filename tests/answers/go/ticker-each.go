// Each upload starts a ticker for its progress, in a goroutine that ends only when the upload is said to be done.
package main

import (
	"fmt"
	"time"
)

type Upload struct {
	name   string
	parts  [64]int64
	done   chan struct{}
	ticker *time.Ticker
}

type Uploads struct{ count int }

func (uploads *Uploads) start(name string) *Upload {
	upload := &Upload{name: name, done: make(chan struct{}), ticker: time.NewTicker(time.Hour)}
	uploads.count++
	go upload.report()
	return upload
}

func (upload *Upload) report() {
	for {
		select {
		case <-upload.ticker.C:
			fmt.Println(upload.name, upload.parts[0])
		case <-upload.done:
			return
		}
	}
}

func main() {
	uploads := &Uploads{}
	table := make([]int, 1<<18)
	rounds(func(round int) {
		for i := 0; i < 500; i++ {
			uploads.start(fmt.Sprintf("file-%d-%d", round, i)).parts[0] = int64(i)
		}
	})
	fmt.Println(len(table), uploads.count)
}
