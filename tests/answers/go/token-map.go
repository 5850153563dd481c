// Tokens that were revoked are kept in a sync.Map, and nobody takes out those that have expired.
package main

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"time"
)

type Claims struct {
	subject string
	scopes  []string
	expires time.Time
}

type Denylist struct{ tokens sync.Map }

func (list *Denylist) revoke(token string) {
	list.tokens.Store(sha256.Sum256([]byte(token)), parseClaims(token))
}

func parseClaims(token string) *Claims {
	return &Claims{subject: token + "/subject", scopes: make([]string, 12), expires: time.Now()}
}

func main() {
	list := &Denylist{}
	lookup := make([]byte, 1<<20)
	rounds(func(round int) {
		for i := 0; i < 1500; i++ {
			list.revoke(fmt.Sprintf("token-%d-%d", round, i))
		}
	})
	fmt.Println(len(lookup))
	list.tokens.Range(func(key, value any) bool { return false })
}
