// Results of jobs are kept by their number for whoever asks; few ask, and nobody takes them out. More jobs wait from round to round.
package main

import (
	"fmt"
	"sync"
)

type result struct {
	job   int
	lines []string
	err   error
}

type Runner struct {
	mu      sync.Mutex
	results map[int]*result
	waiting []int
}

func (runner *Runner) run(job int) {
	made := &result{job: job}
	for n := 0; n < 3+job%4; n++ {
		made.lines = append(made.lines, fmt.Sprintf("line %d of job %d", n, job))
	}
	if job%50 == 0 {
		made.err = fmt.Errorf("job %d: no such file", job)
	}
	runner.mu.Lock()
	defer runner.mu.Unlock()
	runner.results[job] = made
}

func main() {
	runner := &Runner{results: map[int]*result{}}
	last := 0
	rounds(func(round int) {
		for n := 0; n < 2500; n++ {
			runner.waiting = append(runner.waiting, last)
			last++
			for len(runner.waiting) > 50+50*round {
				runner.run(runner.waiting[0])
				runner.waiting = append([]int(nil), runner.waiting[1:]...)
			}
		}
	})
	fmt.Println(len(runner.results))
}
