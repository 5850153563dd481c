// Of each answer only the first bytes are kept, as a slice of the whole.
package main

import (
	"bytes"
	"fmt"
	"io"
)

type Crawler struct {
	titles map[string][]byte
}

func download(url string) io.Reader {
	return bytes.NewReader(bytes.Repeat([]byte(url), 40))
}

func (crawler *Crawler) visit(url string) error {
	body, err := io.ReadAll(download(url))
	if err != nil {
		return err
	}
	crawler.titles[url] = body[:8]
	return nil
}

func main() {
	crawler := &Crawler{titles: map[string][]byte{}}
	rounds(func(round int) {
		for i := 0; i < 800; i++ {
			if err := crawler.visit(fmt.Sprintf("http://example.org/%d/%d", round, i)); err != nil {
				panic(err)
			}
		}
	})
	fmt.Println(len(crawler.titles))
}
