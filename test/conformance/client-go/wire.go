package main

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/rest"
)

// wire is a transport that tests can break: it remembers what was asked, cuts the bodies of watches and holds new ones back.
type wire struct {
	mu        sync.Mutex
	watches   map[*cuttable]bool
	held      chan struct{}
	watchList atomic.Int64
	lists     atomic.Int64
	protobuf  atomic.Int64
	expired   atomic.Int64
}

func newWire() *wire { return &wire{watches: map[*cuttable]bool{}} }

func (w *wire) into(config *rest.Config) *rest.Config {
	config.Wrap(func(inner http.RoundTripper) http.RoundTripper { return roundTripper{w, inner} })
	return config
}

type roundTripper struct {
	wire  *wire
	inner http.RoundTripper
}

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	query := request.URL.Query()
	isWatch := query.Get("watch") == "true"
	if isWatch {
		r.wire.waitWhileHeld(request)
	}
	response, err := r.inner.RoundTrip(request)
	if err != nil || request.Method != http.MethodGet {
		return response, err
	}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/vnd.kubernetes.protobuf") {
		r.wire.protobuf.Add(1)
	}
	if !isWatch {
		r.wire.lists.Add(1)
		return response, nil
	}
	if query.Get("sendInitialEvents") == "true" {
		r.wire.watchList.Add(1)
	}
	response.Body = r.wire.track(response.Body)
	return response, nil
}

func (w *wire) waitWhileHeld(request *http.Request) {
	w.mu.Lock()
	held := w.held
	w.mu.Unlock()
	if held == nil {
		return
	}
	select {
	case <-held:
	case <-request.Context().Done():
	}
}

// hold keeps new watches waiting until release.
func (w *wire) hold() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = make(chan struct{})
}

func (w *wire) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	close(w.held)
	w.held = nil
}

// cut breaks all watches that run, wherever in a frame they are, and says how many they were.
func (w *wire) cut() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	for body := range w.watches {
		body.cut()
	}
	cut := len(w.watches)
	w.watches = map[*cuttable]bool{}
	return cut
}

func (w *wire) track(body io.ReadCloser) io.ReadCloser {
	tracked := &cuttable{inner: body, wire: w}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watches[tracked] = true
	return tracked
}

type cuttable struct {
	inner  io.ReadCloser
	wire   *wire
	broken atomic.Bool
}

func (c *cuttable) cut() {
	c.broken.Store(true)
	c.inner.Close()
}

func (c *cuttable) Read(p []byte) (int, error) {
	// Small pieces, so that a cut falls into the middle of frames.
	if len(p) > 512 {
		p = p[:512]
	}
	n, err := c.inner.Read(p)
	if bytes.Contains(p[:n], []byte("too old resource version")) {
		c.wire.expired.Add(1)
	}
	if c.broken.Load() {
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

func (c *cuttable) Close() error {
	c.wire.mu.Lock()
	delete(c.wire.watches, c)
	c.wire.mu.Unlock()
	return c.inner.Close()
}
