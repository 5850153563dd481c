// A report prepares its query by database/sql for each shop, and closes the statement only where rows come. What is not closed stays with the database, on each of its connections.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
)

type memoryDriver struct{}

func (memoryDriver) Open(name string) (driver.Conn, error) { return &conn{name: name}, nil }

type conn struct {
	name     string
	prepared int
}

func (c *conn) Prepare(query string) (driver.Stmt, error) {
	c.prepared++
	return &stmt{conn: c, query: query, words: strings.Fields(query)}, nil
}
func (c *conn) Close() error              { return nil }
func (c *conn) Begin() (driver.Tx, error) { return nil, errors.New("no transactions") }

type stmt struct {
	conn  *conn
	query string
	words []string
}

func (s *stmt) Close() error  { s.conn.prepared--; return nil }
func (s *stmt) NumInput() int { return 1 }
func (s *stmt) Exec(args []driver.Value) (driver.Result, error) {
	return driver.RowsAffected(len(args)), nil
}
func (s *stmt) Query(args []driver.Value) (driver.Rows, error) {
	return &rows{left: int(args[0].(int64)) % 4}, nil
}

type rows struct{ left int }

func (r *rows) Columns() []string { return []string{"day", "sum"} }
func (r *rows) Close() error      { return nil }
func (r *rows) Next(to []driver.Value) error {
	if r.left == 0 {
		return io.EOF
	}
	to[0], to[1] = fmt.Sprintf("day %d", r.left), int64(r.left*100)
	r.left--
	return nil
}

type salesReport struct {
	db    *sql.DB
	shops int
}

func (report *salesReport) sales(ctx context.Context, shop int) (int64, error) {
	query, err := report.db.PrepareContext(ctx, fmt.Sprintf("select day, sum from sales where shop = %d and day > ?", shop))
	if err != nil {
		return 0, err
	}
	found, err := query.QueryContext(ctx, shop)
	if err != nil {
		return 0, err
	}
	defer found.Close()
	if !found.Next() {
		return 0, nil
	}
	defer query.Close()
	var total int64
	for {
		var day string
		var sum int64
		if err := found.Scan(&day, &sum); err != nil {
			return 0, err
		}
		total += sum
		if !found.Next() {
			return total, found.Err()
		}
	}
}

func main() {
	sql.Register("memory", memoryDriver{})
	db, err := sql.Open("memory", "shop")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(3)
	report := &salesReport{db: db, shops: 1200}
	rounds(func(round int) {
		for shop := 0; shop < report.shops; shop++ {
			if _, err := report.sales(context.Background(), shop); err != nil {
				panic(err)
			}
		}
	})
}
