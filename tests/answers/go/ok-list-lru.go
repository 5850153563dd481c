// Thumbnails are cached by a list and a map up to 5,000, and fewer are there yet; uploads come and go, and become more.
package main

import (
	"container/list"
	"fmt"
)

type thumbnail struct {
	name   string
	pixels []byte
}

type Cache struct {
	limit int
	order *list.List
	byKey map[string]*list.Element
}

func (cache *Cache) get(key string) *thumbnail {
	if found, ok := cache.byKey[key]; ok {
		cache.order.MoveToFront(found)
		return found.Value.(*thumbnail)
	}
	made := &thumbnail{name: key, pixels: make([]byte, 300)}
	cache.byKey[key] = cache.order.PushFront(made)
	if cache.order.Len() > cache.limit {
		oldest := cache.order.Back()
		cache.order.Remove(oldest)
		delete(cache.byKey, oldest.Value.(*thumbnail).name)
	}
	return made
}

type upload struct {
	name  string
	parts [][]byte
}

func main() {
	cache := &Cache{limit: 5000, order: list.New(), byKey: map[string]*list.Element{}}
	var uploads []*upload
	last := 0
	rounds(func(round int) {
		for n := 0; n < 2000; n++ {
			number := n % 200
			if n%2 == 0 {
				number = last
				last++
			}
			cache.get(fmt.Sprintf("image-%d", number))
			uploads = append(uploads, &upload{name: fmt.Sprintf("upload-%d", n), parts: [][]byte{make([]byte, 64)}})
			if len(uploads) > 40+30*round {
				uploads = append([]*upload(nil), uploads[1:]...)
			}
		}
	})
	fmt.Println(len(uploads), cache.order.Len())
}
