// Batches of rows are read, sorted and dropped; the size of a batch varies, and an index of fixed size stays.
package main

import (
	"fmt"
	"sort"
)

type Row struct {
	id   int
	name string
	sums []float64
}

type Index struct{ byBucket [256][]int }

func readBatch(n, size int) []*Row {
	rows := make([]*Row, 0, size)
	for i := 0; i < size; i++ {
		rows = append(rows, &Row{i ^ n, fmt.Sprintf("row %d", i), make([]float64, 8)})
	}
	return rows
}

func (index *Index) take(rows []*Row) {
	sort.Slice(rows, func(a, b int) bool { return rows[a].id < rows[b].id })
	for bucket := range index.byBucket {
		index.byBucket[bucket] = make([]int, 64)
		copy(index.byBucket[bucket], []int{rows[bucket%len(rows)].id})
	}
}

func main() {
	index := &Index{}
	var last []*Row
	sizes := []int{3000, 4200, 3300, 4500}
	rounds(func(round int) {
		for i := 0; i < 5; i++ {
			last = readBatch(i, sizes[round])
			index.take(last)
		}
	})
	fmt.Println(len(last), len(index.byBucket))
}
