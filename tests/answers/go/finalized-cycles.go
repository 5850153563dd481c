// Files of a project know the project, and both have finalizers: what has a finalizer and is in a ring is never freed.
package main

import (
	"fmt"
	"runtime"
)

type File struct {
	project *Project
	name    string
	text    []byte
}

type Project struct {
	name  string
	files []*File
}

var closed int

func openProject(name string) *Project {
	project := &Project{name: name}
	for i := 0; i < 5; i++ {
		project.files = append(project.files, openFile(project, fmt.Sprintf("%s/file-%d", name, i)))
	}
	runtime.SetFinalizer(project, func(*Project) { closed++ })
	return project
}

func openFile(project *Project, name string) *File {
	file := &File{project: project, name: name, text: make([]byte, 300)}
	runtime.SetFinalizer(file, func(*File) { closed++ })
	return file
}

func main() {
	cache := make([]*Project, 10)
	rounds(func(round int) {
		for i := 0; i < 300; i++ {
			cache[i%len(cache)] = openProject(fmt.Sprintf("project-%d-%d", round, i))
		}
	})
	fmt.Println(closed, len(cache))
}
