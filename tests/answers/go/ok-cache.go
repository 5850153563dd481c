// A cache of 500 pages that is full, and a pool of buffers.
package main

import (
	"fmt"
	"sync"
)

type Page struct{ body []byte }

type PageCache struct {
	pages map[int]*Page
	order []int
}

func (cache *PageCache) put(n int) {
	cache.pages[n] = loadPage(n)
	cache.order = append(cache.order, n)
	if len(cache.order) > 500 {
		delete(cache.pages, cache.order[0])
		cache.order = cache.order[1:]
	}
}

func loadPage(n int) *Page { return &Page{body: make([]byte, 2000+n%50)} }

var buffers = sync.Pool{New: func() any { return make([]byte, 8192) }}

func main() {
	cache := &PageCache{pages: map[int]*Page{}}
	n := 0
	rounds(func(round int) {
		for i := 0; i < 1500; i++ {
			buffer := buffers.Get().([]byte)
			copy(buffer, fmt.Sprint(n))
			buffers.Put(buffer) //nolint
			cache.put(n)
			n++
		}
	})
	fmt.Println(len(cache.pages))
}
