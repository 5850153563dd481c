// An HTTP service with sessions that end, a log that is flushed, and counters of few labels. Clients keep their connections, more of them in busy hours; some requests wait for a slow backend when a profile is taken.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

type session struct {
	User    string
	Basket  []string
	touched time.Time
}

type sessions struct {
	mutex sync.Mutex
	byID  map[string]*session
	life  time.Duration
}

func (s *sessions) touch(id string) *session {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known := s.byID[id]
	if known == nil {
		known = &session{User: "user of " + id}
		s.byID[id] = known
	}
	known.touched = time.Now()
	if len(known.Basket) < 12 {
		known.Basket = append(known.Basket, fmt.Sprintf("article %d of %s", len(known.Basket), id))
	}
	return known
}

func (s *sessions) sweep() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for id, each := range s.byID {
		if time.Since(each.touched) > s.life {
			delete(s.byID, id)
		}
	}
}

type service struct {
	sessions sessions
	mutex    sync.Mutex
	counts   map[string]int
	log      *bufio.Writer
	gate     chan struct{}
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if r.URL.Query().Get("slow") != "" {
		<-s.gate
	}
	found := s.sessions.touch(r.Header.Get("X-Session"))
	s.mutex.Lock()
	s.counts[r.Method+" "+r.URL.Path]++
	fmt.Fprintf(s.log, "%s %s %d\n", r.Method, r.URL.Path, len(body))
	s.mutex.Unlock()
	json.NewEncoder(w).Encode(found)
}

func main() {
	server := &service{counts: map[string]int{}, log: bufio.NewWriter(io.Discard), gate: make(chan struct{})}
	server.sessions = sessions{byID: map[string]*session{}, life: 150 * time.Millisecond}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(listener, server)
	go func() {
		for range time.Tick(50 * time.Millisecond) {
			server.sessions.sweep()
		}
	}()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64, MaxConnsPerHost: 64}}
	ask := func(path, id string) {
		request, _ := http.NewRequest("GET", "http://"+listener.Addr().String()+path, nil)
		request.Header.Set("X-Session", id)
		if answer, err := client.Do(request); err == nil {
			io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	}
	busy, waiting := []int{8, 16, 24, 30}, []int{4, 20, 8, 16}
	rounds(func(round int) {
		close(server.gate)
		server.gate = make(chan struct{})
		time.Sleep(5 * time.Millisecond)
		var group sync.WaitGroup
		for c := 0; c < busy[round]; c++ {
			group.Add(1)
			go func(c int) {
				defer group.Done()
				for n := 0; n < 80; n++ {
					ask(fmt.Sprintf("/shop/%d", n%12), fmt.Sprintf("s-%d-%d-%d", round, c, n/5))
				}
			}(c)
		}
		group.Wait()
		for n := 0; n < waiting[round]; n++ {
			go ask("/shop/slow?slow=1", fmt.Sprintf("w-%d-%d", round, n))
		}
		time.Sleep(30 * time.Millisecond)
	})
}
