// Writes a heap profile: go run sessions.go go-sessions.pb.gz
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

type session struct {
	id   int
	data []byte
}

var sessions = map[int]*session{}

func open(id int) *session {
	s := &session{id: id, data: make([]byte, 4096)}
	sessions[id] = s
	return s
}

func serve(n int) {
	for i := 0; i < n; i++ {
		open(i)
	}
}

func main() {
	runtime.MemProfileRate = 16384
	serve(2000)
	runtime.GC()
	f, _ := os.Create(os.Args[1])
	pprof.Lookup("heap").WriteTo(f, 0)
	f.Close()
}
