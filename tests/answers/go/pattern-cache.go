// Compiled patterns are kept by their text, which has the word of a search in it.
package main

import (
	"fmt"
	"regexp"
	"sync"
)

var patterns sync.Map

func patternFor(word string) *regexp.Regexp {
	text := fmt.Sprintf(`(?i)\b%s\w*(-\d+)?`, word)
	if found, ok := patterns.Load(text); ok {
		return found.(*regexp.Regexp)
	}
	made := regexp.MustCompile(text)
	patterns.Store(text, made)
	return made
}

func search(word string, lines []string) (found int) {
	pattern := patternFor(word)
	for _, line := range lines {
		if pattern.MatchString(line) {
			found++
		}
	}
	return found
}

func main() {
	lines := []string{"a lamp", "a table", "two chairs"}
	rounds(func(round int) {
		for i := 0; i < 120; i++ {
			search(fmt.Sprintf("lamp%dx%d", round, i), lines)
		}
	})
}
