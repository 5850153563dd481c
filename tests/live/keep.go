// Keeps a hundred megabytes and serves its profiles; prints PORT N.
package main

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof"
)

var keep [][]byte

func hoard() {
	for i := 0; i < 1000; i++ {
		keep = append(keep, make([]byte, 100_000))
	}
}

func main() {
	hoard()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("PORT %d\n", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, nil))
}
