// Judges certificate chains, PEM texts and certificate requests with Go's own libraries and the options of kube-apiserver.
// Reads {"chains": …, "pems": …, "requests": …} from stdin and writes one verdict for each.
package main

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"time"
)

type chain struct {
	Shown [][]byte  `json:"shown"`
	Roots [][]byte  `json:"roots"`
	At    time.Time `json:"at"`
}

type questions struct {
	Chains   []chain  `json:"chains"`
	Pems     [][]byte `json:"pems"`
	Requests [][]byte `json:"requests"`
}

type verdict struct {
	Accepted      bool     `json:"accepted"`
	Problem       string   `json:"problem,omitempty"`
	CommonName    string   `json:"commonName,omitempty"`
	Organizations []string `json:"organizations,omitempty"`
}

type block struct {
	Type       string `json:"type"`
	HasHeaders bool   `json:"hasHeaders"`
	Der        []byte `json:"der"`
}

type answers struct {
	Chains   []verdict `json:"chains"`
	Pems     [][]block `json:"pems"`
	Requests []verdict `json:"requests"`
}

func refused(err error) verdict { return verdict{Problem: err.Error()} }

func judgeChain(question chain) verdict {
	options := x509.VerifyOptions{
		Roots:         x509.NewCertPool(),
		Intermediates: x509.NewCertPool(),
		CurrentTime:   question.At,
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	for _, der := range question.Roots {
		root, err := x509.ParseCertificate(der)
		if err != nil {
			return refused(fmt.Errorf("root: %w", err))
		}
		options.Roots.AddCert(root)
	}
	var leaf *x509.Certificate
	for index, der := range question.Shown {
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return refused(err)
		}
		if index == 0 {
			leaf = certificate
		} else {
			options.Intermediates.AddCert(certificate)
		}
	}
	if _, err := leaf.Verify(options); err != nil {
		return refused(err)
	}
	return verdict{Accepted: true, CommonName: leaf.Subject.CommonName, Organizations: leaf.Subject.Organization}
}

func blocksOf(text []byte) []block {
	found := []block{}
	for {
		next, rest := pem.Decode(text)
		if next == nil {
			return found
		}
		found = append(found, block{next.Type, len(next.Headers) > 0, next.Bytes})
		text = rest
	}
}

func judgeRequest(text []byte) verdict {
	next, _ := pem.Decode(text)
	if next == nil || next.Type != "CERTIFICATE REQUEST" {
		return refused(fmt.Errorf("PEM block type must be CERTIFICATE REQUEST"))
	}
	request, err := x509.ParseCertificateRequest(next.Bytes)
	if err == nil {
		err = request.CheckSignature()
	}
	if err != nil {
		return refused(err)
	}
	return verdict{Accepted: true, CommonName: request.Subject.CommonName, Organizations: request.Subject.Organization}
}

func main() {
	var asked questions
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		panic(err)
	}
	out := answers{Chains: []verdict{}, Pems: [][]block{}, Requests: []verdict{}}
	for _, question := range asked.Chains {
		out.Chains = append(out.Chains, judgeChain(question))
	}
	for _, text := range asked.Pems {
		out.Pems = append(out.Pems, blocksOf(text))
	}
	for _, text := range asked.Requests {
		out.Requests = append(out.Requests, judgeRequest(text))
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
