// Devices send readings; each has a limiter in a map, and one that was not seen for long would be taken out, but the walk stops at the first that is still young.
package main

import (
	"fmt"
	"time"
)

type limiter struct {
	tokens float64
	seen   time.Time
	recent [8]float64
}

type Ingest struct {
	limits map[string]*limiter
	window []string
	taken  int
}

func (ingest *Ingest) limit(device string) *limiter {
	found := ingest.limits[device]
	if found == nil {
		found = &limiter{tokens: 10}
		ingest.limits[device] = found
	}
	found.seen = time.Now()
	return found
}

func (ingest *Ingest) take(device string, value float64) {
	limit := ingest.limit(device)
	limit.recent[ingest.taken%8] = value
	ingest.window = append(ingest.window, fmt.Sprintf("%s: %f", device, value))
	if len(ingest.window) > 800 {
		ingest.window = append([]string(nil), ingest.window[400:]...)
	}
	ingest.taken++
}

func (ingest *Ingest) sweep() {
	for device, limit := range ingest.limits {
		if time.Since(limit.seen) < time.Hour {
			return
		}
		delete(ingest.limits, device)
	}
}

func main() {
	ingest := &Ingest{limits: map[string]*limiter{}}
	rounds(func(round int) {
		for n := 0; n < 3000; n++ {
			ingest.take(fmt.Sprintf("device-%d-%d", round, n), float64(n))
			if n%500 == 0 {
				ingest.sweep()
			}
		}
	})
	fmt.Println(ingest.taken)
}
