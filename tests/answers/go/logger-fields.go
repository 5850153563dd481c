// Each request gets a logger with its number; by mistake the service keeps that logger, so that the next one has the fields of all before it.
package main

import (
	"fmt"
	"strings"
)

type field struct{ key, value string }

type Logger struct {
	parent *Logger
	fields []field
	out    *strings.Builder
}

func (logger *Logger) With(fields ...field) *Logger {
	return &Logger{parent: logger, fields: append([]field(nil), fields...), out: logger.out}
}

func (logger *Logger) Info(text string) {
	if logger.out.Len() > 20000 {
		logger.out.Reset()
	}
	logger.out.WriteString(text)
}

type Service struct {
	log      *Logger
	underway []*request
	served   int
}

type request struct {
	path    string
	headers map[string]string
}

func (service *Service) serve(number, most int) {
	service.log = service.log.With(field{"request", fmt.Sprint(number)}, field{"path", fmt.Sprintf("/articles/%d", number%200)})
	service.log.Info("served")
	service.underway = append(service.underway, &request{path: fmt.Sprintf("/articles/%d", number), headers: map[string]string{"host": "shop", "trace": fmt.Sprint(number)}})
	if len(service.underway) > most {
		service.underway = append([]*request(nil), service.underway[len(service.underway)-most:]...)
	}
	service.served++
}

func main() {
	service := &Service{log: &Logger{out: &strings.Builder{}}}
	together := []int{40, 80, 120, 160}
	rounds(func(round int) {
		for n := 0; n < 3000; n++ {
			service.serve(round*3000+n, together[round])
		}
	})
	fmt.Println(service.served)
}
