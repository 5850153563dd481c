// Rows of uploaded tables are read into structs whose type is made for each upload, from its columns. Types are never freed.
package main

import (
	"fmt"
	"reflect"
)

type column struct {
	name string
	kind reflect.Type
}

func rowType(columns []column) reflect.Type {
	fields := make([]reflect.StructField, 0, len(columns))
	for _, column := range columns {
		fields = append(fields, reflect.StructField{Name: column.name, Type: column.kind, Tag: reflect.StructTag(`json:"` + column.name + `"`)})
	}
	return reflect.StructOf(fields)
}

func upload(columns []column, cells []string) int {
	row := reflect.New(rowType(columns)).Elem()
	filled := 0
	for n := range columns {
		if row.Field(n).Kind() == reflect.String {
			row.Field(n).SetString(cells[n])
			filled++
		}
	}
	return filled
}

func main() {
	text, number := reflect.TypeOf(""), reflect.TypeOf(0)
	total := 0
	rounds(func(round int) {
		for n := 0; n < 400; n++ {
			columns, cells := []column{}, []string{}
			for c := 0; c < 6; c++ {
				kind := text
				if c%3 == 2 {
					kind = number
				}
				columns = append(columns, column{fmt.Sprintf("Column%dOf%dIn%d", c, n, round), kind})
				cells = append(cells, fmt.Sprintf("cell %d", c))
			}
			total += upload(columns, cells)
		}
	})
	fmt.Println(total)
}
