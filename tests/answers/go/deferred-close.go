// Handles of a loop are to be closed when the function ends, which it does not; the list of what is deferred is the program's.
package main

import "fmt"

type Handle struct {
	name   string
	buffer []byte
}

func openHandle(name string) *Handle { return &Handle{name: name, buffer: make([]byte, 3000)} }

func (handle *Handle) Close() { handle.buffer = nil }

type Watcher struct{ closers []func() }

func (watcher *Watcher) scan(round int) int {
	size := 0
	for i := 0; i < 400; i++ {
		handle := openHandle(fmt.Sprintf("/var/log/%d/%d", round, i))
		watcher.closers = append(watcher.closers, handle.Close)
		size += len(handle.buffer)
	}
	return size
}

func main() {
	watcher := &Watcher{}
	rounds(func(round int) { fmt.Println(watcher.scan(round)) })
	for _, closer := range watcher.closers {
		closer()
	}
}
