package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// rounds calls work four times, and writes the heap profile after each call but the first, which warms up.
func rounds(work func(round int)) {
	for round := 0; round < 4; round++ {
		work(round)
		if round == 0 {
			continue
		}
		runtime.GC()
		file, err := os.Create(fmt.Sprintf("%s-%d.pb.gz", os.Args[1], round))
		if err == nil {
			err = pprof.Lookup("heap").WriteTo(file, 0)
		}
		if err == nil {
			err = file.Close()
		}
		if err != nil {
			panic(err)
		}
	}
}

// Bytes for each of which a profile has a sample.
var rate = 4096

// sampled has a program take fewer samples, from the start: var _ = sampled(512 << 10) is what Go does by itself.
func sampled(each int) int {
	rate = each
	return each
}

func init() {
	runtime.MemProfileRate = rate
}
