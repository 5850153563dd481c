// A metric has a series for each set of labels, and a label is the address of a request.
package main

import (
	"fmt"
	"sync"
)

type Series struct {
	labels  map[string]string
	buckets [24]uint64
}

type Vector struct {
	mutex  sync.RWMutex
	series map[string]*Series
}

func (vector *Vector) With(labels map[string]string) *Series {
	key := fmt.Sprint(labels)
	vector.mutex.Lock()
	defer vector.mutex.Unlock()
	if found, ok := vector.series[key]; ok {
		return found
	}
	made := &Series{labels: labels}
	vector.series[key] = made
	return made
}

var requestSeconds = &Vector{series: map[string]*Series{}}

func observe(path string, status int) {
	requestSeconds.With(map[string]string{"path": path, "status": fmt.Sprint(status)}).buckets[status%24]++
}

func main() {
	pages := map[int][]byte{}
	rounds(func(round int) {
		for i := 0; i < 1200; i++ {
			pages[i%50] = make([]byte, 4000)
			observe(fmt.Sprintf("/order/%d-%d", round, i), 200)
		}
	})
}
