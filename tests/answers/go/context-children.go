// A context is made for each tenant's watch, below that of the server. Nobody cancels them.
package main

import (
	"context"
	"fmt"
)

type tenantKey struct{}

type Tenant struct {
	name   string
	limits [40]int
}

type Watcher struct {
	root context.Context
	n    int
}

func (watcher *Watcher) watchTenant(name string) context.Context {
	tenant := &Tenant{name: name}
	ctx, _ := context.WithCancel(context.WithValue(watcher.root, tenantKey{}, tenant))
	watcher.n += len(tenant.limits)
	return ctx
}

func main() {
	root, stop := context.WithCancel(context.Background())
	defer stop()
	watcher := &Watcher{root: root}
	rounds(func(round int) {
		for i := 0; i < 1500; i++ {
			if watcher.watchTenant(fmt.Sprintf("tenant-%d-%d", round, i)).Err() != nil {
				return
			}
		}
	})
	fmt.Println(watcher.n)
}
