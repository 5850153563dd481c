// Keeps a hundred megabytes and serves its profiles; prints PORT N. GET /worst is the longest pause in milliseconds since it was asked
// last; /own?FILE writes a profile of its own; all else is answered.
package main

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"runtime/pprof"
	"sync/atomic"
	"time"
)

var keep [][]byte

func hoard() {
	for i := 0; i < 1000; i++ {
		keep = append(keep, make([]byte, 100_000))
	}
}

var worst atomic.Int64

func watch() {
	for last := time.Now(); ; {
		time.Sleep(time.Millisecond)
		now := time.Now()
		if pause := now.Sub(last).Milliseconds(); pause > worst.Load() {
			worst.Store(pause)
		}
		last = now
	}
}

func own(path string) {
	file, err := os.Create(path)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	runtime.GC()
	if err := pprof.Lookup("heap").WriteTo(file, 0); err != nil {
		panic(err)
	}
}

func main() {
	hoard()
	go watch()
	http.HandleFunc("/", func(answer http.ResponseWriter, _ *http.Request) { fmt.Fprintln(answer, "ok") })
	http.HandleFunc("/worst", func(answer http.ResponseWriter, _ *http.Request) { fmt.Fprintln(answer, worst.Swap(0)) })
	http.HandleFunc("/own", func(answer http.ResponseWriter, request *http.Request) {
		own(request.URL.RawQuery)
		fmt.Fprintln(answer, "done")
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("PORT %d\n", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, nil))
}
