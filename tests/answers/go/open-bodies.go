// A service is asked whether it is well. Only the status is looked at; the body is not closed, and so each question has a connection for good.
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
)

type Watcher struct {
	client *http.Client
	url    string
	well   int
}

func (watcher *Watcher) check(name string) error {
	request, err := http.NewRequest("GET", watcher.url+"/health/"+name, nil)
	if err != nil {
		return err
	}
	request.Header.Set("X-Watcher", name)
	response, err := watcher.client.Do(request)
	if err != nil {
		return err
	}
	if response.StatusCode == http.StatusOK {
		watcher.well++
	}
	return nil
}

func main() {
	long := strings.Repeat("all is well; ", 400)
	server := httptest.NewServer(http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
		fmt.Fprint(writer, long)
	}))
	watcher := &Watcher{client: &http.Client{Transport: &http.Transport{}}, url: server.URL}
	rounds(func(round int) {
		for n := 0; n < 60; n++ {
			if err := watcher.check(fmt.Sprintf("service-%d-%d", round, n)); err != nil {
				panic(err)
			}
		}
	})
	fmt.Println(watcher.well)
}
