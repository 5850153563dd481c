// Policies of customers are expressions of Go, and are parsed each time that they are asked; all of them with the one set of files that the parser needs for positions.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
)

type Engine struct {
	files *token.FileSet
	asked int
}

func (engine *Engine) parse(customer, policy string) ast.Expr {
	expression, err := parser.ParseExprFrom(engine.files, customer, policy, 0)
	if err != nil {
		panic(err)
	}
	return expression
}

func (engine *Engine) allows(customer, policy string) bool {
	engine.asked++
	names := 0
	ast.Inspect(engine.parse(customer, policy), func(node ast.Node) bool {
		if _, ok := node.(*ast.Ident); ok {
			names++
		}
		return true
	})
	return names > 3
}

func main() {
	engine := &Engine{files: token.NewFileSet()}
	allowed := 0
	rounds(func(round int) {
		for n := 0; n < 4000; n++ {
			policy := fmt.Sprintf("role == admin &&\n age > %d ||\n owner == user && !locked &&\n (day < %d ||\n weekend)", n%90, n%7)
			if engine.allows(fmt.Sprintf("customer-%d-%d", round, n), policy) {
				allowed++
			}
		}
	})
	fmt.Println(allowed, engine.asked)
}
