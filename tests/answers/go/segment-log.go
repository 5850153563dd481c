// Segments of preallocated arrays, none dropped: 4 a round of 64K.
package main

type Entry struct {
	n    int64
	data [24]byte
}
type Segment struct {
	base    int64
	entries []Entry
}
type Wal struct {
	segments []*Segment
	next     int64
}

func newSegment(base int64) *Segment { return &Segment{base, make([]Entry, 0, 2048)} }

func (w *Wal) Append() {
	if len(w.segments) == 0 || len(w.segments[len(w.segments)-1].entries) == 2048 {
		w.segments = append(w.segments, newSegment(w.next))
	}
	last := w.segments[len(w.segments)-1]
	last.entries = append(last.entries, Entry{n: w.next})
	w.next++
}

var wal Wal

func main() {
	rounds(func(round int) {
		for i := 0; i < 4*2048; i++ {
			wal.Append()
		}
	})
}
