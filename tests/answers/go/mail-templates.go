// A mail is a template that is made by the name of its campaign, and so becomes a part of the set that the layout is in.
package main

import (
	"fmt"
	"io"
	"text/template"
)

type Mailer struct {
	layout *template.Template
	sent   int
}

func newMailer() *Mailer {
	layout := template.Must(template.New("layout").Parse(`{{define "foot"}}Bye, {{.Shop}}{{end}}Hello {{.Name}}`))
	return &Mailer{layout: layout}
}

type counter struct{ bytes int }

func (c *counter) Write(data []byte) (int, error) {
	c.bytes += len(data)
	return len(data), nil
}

func (mailer *Mailer) send(campaign, text string, to []string) error {
	mail, err := mailer.layout.New(campaign).Parse(text)
	if err != nil {
		return err
	}
	var out io.Writer = &counter{}
	for _, name := range to {
		if err := mail.Execute(out, map[string]string{"Name": name, "Shop": "shop"}); err != nil {
			return err
		}
		mailer.sent++
	}
	return nil
}

func main() {
	mailer := newMailer()
	rounds(func(round int) {
		for n := 0; n < 150; n++ {
			campaign := fmt.Sprintf("campaign-%d-%d", round, n)
			text := "Dear {{.Name}}, " + campaign + " begins. {{if .Shop}}Come to {{.Shop}}.{{else}}Come in.{{end}} {{template \"foot\" .}}"
			if err := mailer.send(campaign, text, []string{"Ann", "Bob"}); err != nil {
				panic(err)
			}
		}
	})
	fmt.Println(mailer.sent)
}
