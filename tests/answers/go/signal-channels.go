// Each import wants to end well when the process is asked to end, and is given a channel for signals. It never says that it wants no more of them when it is done.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

type row struct {
	article string
	count   int
}

type importer struct {
	table    map[string]int
	finished int
	stopped  int
}

type file struct {
	name string
	rows []row
}

func read(name string, length int) *file {
	f := &file{name: name}
	for n := 0; n < length; n++ {
		f.rows = append(f.rows, row{article: fmt.Sprintf("article-%d", n%200), count: n % 9})
	}
	return f
}

func (i *importer) run(ctx context.Context, f *file) error {
	stop := make(chan os.Signal, 16)
	signal.Notify(stop, syscall.SIGUSR1, syscall.SIGHUP)
	for n, each := range f.rows {
		select {
		case <-stop:
			i.stopped++
			return fmt.Errorf("%s was stopped at row %d", f.name, n)
		case <-ctx.Done():
			return ctx.Err()
		default:
			i.table[strings.ToUpper(each.article)] += each.count
		}
	}
	i.finished++
	return nil
}

func (i *importer) summary() []string {
	var lines []string
	for article, count := range i.table {
		if count > 100 {
			lines = append(lines, fmt.Sprintf("%s: %d", article, count))
		}
	}
	return lines
}

func main() {
	imports := &importer{table: map[string]int{}}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rounds(func(round int) {
		for n := 0; n < 800; n++ {
			if err := imports.run(ctx, read(fmt.Sprintf("import-%d-%d.csv", round, n), 40)); err != nil {
				panic(err)
			}
		}
		imports.summary()
	})
}
