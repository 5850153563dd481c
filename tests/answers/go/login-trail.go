// Each login is noted in a trail that nobody ever reads or cuts, beside a cache of pages at its limit, all of which are others by
// the next round. Samples are as few as Go takes by itself.
package main

import (
	"container/list"
	"fmt"
)

var _ = sampled(512 << 10)

type login struct {
	user  string
	agent string
	steps [60]int64
}

type Trail struct {
	logins []*login
}

func (trail *Trail) note(user string) {
	trail.logins = append(trail.logins, &login{user: user, agent: "Firefox on " + user})
}

type page struct {
	url  string
	body []byte
}

type PageCache struct {
	order *list.List
	pages map[string]*list.Element
	limit int
}

func (cache *PageCache) load(url string) *page {
	if found, ok := cache.pages[url]; ok {
		cache.order.MoveToFront(found)
		return found.Value.(*page)
	}
	loaded := &page{url: url, body: make([]byte, 8000)}
	cache.pages[url] = cache.order.PushFront(loaded)
	if cache.order.Len() > cache.limit {
		last := cache.order.Back()
		delete(cache.pages, last.Value.(*page).url)
		cache.order.Remove(last)
	}
	return loaded
}

func main() {
	trail := &Trail{}
	cache := &PageCache{order: list.New(), pages: map[string]*list.Element{}, limit: 4000}
	bytes := 0
	rounds(func(round int) {
		for n := 0; n < 9000; n++ {
			trail.note(fmt.Sprintf("user-%d-%d", round, n))
			bytes += len(cache.load(fmt.Sprintf("/page/%d/%d", round, n)).body)
		}
	})
	fmt.Println(len(trail.logins), bytes)
}
