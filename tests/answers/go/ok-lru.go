// A cache of pages that drops the oldest; what is asked for changes all the time.
package main

import (
	"container/list"
	"fmt"
)

type Page struct {
	url  string
	body []byte
}

type PageCache struct {
	order *list.List
	pages map[string]*list.Element
	limit int
}

func (cache *PageCache) load(url string) *Page {
	if found, ok := cache.pages[url]; ok {
		cache.order.MoveToFront(found)
		return found.Value.(*Page)
	}
	page := &Page{url: url, body: make([]byte, 2048)}
	cache.pages[url] = cache.order.PushFront(page)
	if cache.order.Len() > cache.limit {
		last := cache.order.Back()
		delete(cache.pages, last.Value.(*Page).url)
		cache.order.Remove(last)
	}
	return page
}

func main() {
	cache := &PageCache{order: list.New(), pages: map[string]*list.Element{}, limit: 700}
	n := 0
	rounds(func(round int) {
		for i := 0; i < 1000; i++ {
			n += len(cache.load(fmt.Sprintf("/page/%d/%d", round, i)).body)
		}
	})
	fmt.Println(n, len(cache.pages))
}
