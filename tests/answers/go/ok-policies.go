// Policies are parsed each with a set of files of their own, and the newest 500 are kept; what was decided last stands in a ring. Load rises.
package main

import (
	"container/list"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

type policy struct {
	text       string
	expression ast.Expr
}

type Engine struct {
	byText map[string]*list.Element
	newest *list.List
	ring   [300]string
	asked  int
}

func (engine *Engine) compile(text string) *policy {
	if found, ok := engine.byText[text]; ok {
		engine.newest.MoveToFront(found)
		return found.Value.(*policy)
	}
	expression, err := parser.ParseExprFrom(token.NewFileSet(), "policy", text, 0)
	if err != nil {
		panic(err)
	}
	made := &policy{text, expression}
	engine.byText[text] = engine.newest.PushFront(made)
	if engine.newest.Len() > 500 {
		last := engine.newest.Remove(engine.newest.Back()).(*policy)
		delete(engine.byText, last.text)
	}
	return made
}

func (engine *Engine) allows(user, text string) bool {
	names := 0
	ast.Inspect(engine.compile(text).expression, func(node ast.Node) bool {
		if _, ok := node.(*ast.Ident); ok {
			names++
		}
		return true
	})
	engine.ring[engine.asked%len(engine.ring)] = fmt.Sprintf("%s: %d", user, names)
	engine.asked++
	return names > 3
}

func main() {
	engine := &Engine{byText: map[string]*list.Element{}, newest: list.New()}
	allowed := 0
	load := []int{3000, 4000, 5000, 6000}
	rounds(func(round int) {
		for n := 0; n < load[round]; n++ {
			text := fmt.Sprintf("role == admin && age > %d || owner == user && day < %d", n*13%700, n%3)
			if engine.allows(fmt.Sprintf("user-%d-%d", round, n), text) {
				allowed++
			}
		}
	})
	fmt.Println(allowed, engine.asked)
}
