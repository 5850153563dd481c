// Jobs are done by workers that are started when all are busy, up to forty, and that stay for a minute. Equal questions share one answer while it is worked out, and pages are in a cache of limited size.
package main

import (
	"bytes"
	"container/list"
	"fmt"
	"sync"
	"time"
)

type job struct {
	page string
	done chan *page
}

type page struct {
	name string
	body []byte
}

type worker struct {
	number  int
	scratch bytes.Buffer
	served  int
}

func (w *worker) render(name string) *page {
	w.scratch.Reset()
	for n := 0; n < 40; n++ {
		fmt.Fprintf(&w.scratch, "<p>%s line %d</p>", name, n)
	}
	w.served++
	time.Sleep(200 * time.Microsecond)
	return &page{name: name, body: append([]byte(nil), w.scratch.Bytes()...)}
}

type pool struct {
	jobs    chan job
	mutex   sync.Mutex
	workers []*worker
	limit   int
}

func (p *pool) submit(j job) {
	select {
	case p.jobs <- j:
	default:
		p.grow()
		p.jobs <- j
	}
}

func (p *pool) grow() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.workers) == p.limit {
		return
	}
	w := &worker{number: len(p.workers)}
	p.workers = append(p.workers, w)
	go func() {
		for j := range p.jobs {
			j.done <- w.render(j.page)
		}
	}()
}

type cache struct {
	mutex   sync.Mutex
	limit   int
	order   *list.List
	entries map[string]*list.Element
	calls   map[string]*call
}

type call struct {
	ready chan struct{}
	page  *page
}

func (c *cache) get(name string, load func() *page) *page {
	c.mutex.Lock()
	if element, ok := c.entries[name]; ok {
		c.order.MoveToFront(element)
		c.mutex.Unlock()
		return element.Value.(*page)
	}
	if running, ok := c.calls[name]; ok {
		c.mutex.Unlock()
		<-running.ready
		return running.page
	}
	mine := &call{ready: make(chan struct{})}
	c.calls[name] = mine
	c.mutex.Unlock()
	mine.page = load()
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.calls, name)
	c.entries[name] = c.order.PushFront(mine.page)
	if c.order.Len() > c.limit {
		last := c.order.Remove(c.order.Back()).(*page)
		delete(c.entries, last.name)
	}
	close(mine.ready)
	return mine.page
}

func main() {
	workers := &pool{jobs: make(chan job), limit: 40}
	pages := &cache{limit: 400, order: list.New(), entries: map[string]*list.Element{}, calls: map[string]*call{}}
	clients := []int{8, 16, 28, 48}
	rounds(func(round int) {
		var group sync.WaitGroup
		for client := 0; client < clients[round]; client++ {
			group.Add(1)
			go func(client int) {
				defer group.Done()
				for n := 0; n < 60; n++ {
					name := fmt.Sprintf("page-%d", (client*31+n*7+round*500)%1500)
					pages.get(name, func() *page {
						done := make(chan *page, 1)
						workers.submit(job{name, done})
						return <-done
					})
				}
			}(client)
		}
		group.Wait()
	})
}
