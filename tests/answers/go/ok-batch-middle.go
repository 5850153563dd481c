// A batch is dumped in its middle, at more rows each time.
package main

import "fmt"

type Row struct {
	n    int
	cols []string
}
type Job struct{ rows []*Row }

var job *Job

func read(n int) *Row { return &Row{n, []string{fmt.Sprint("a", n), fmt.Sprint("b", n)}} }

func main() {
	n := 0
	rounds(func(round int) {
		job = &Job{}
		for i := 0; i < 2000+1000*round; i++ {
			job.rows = append(job.rows, read(n))
			n++
		}
	})
}
