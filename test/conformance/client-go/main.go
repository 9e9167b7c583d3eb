// Informers and other machinery of client-go against one server, given by --kubeconfig.
// Prints a line for each check and ends with 1 when one of them failed.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/features"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

// patience bounds every check: whatever is not true by then never will be.
const patience = 90 * time.Second

type check struct {
	name string
	run  func(context.Context, *world) error
}

// world is what all checks share.
type world struct {
	config *rest.Config
	// client writes in JSON, over connections that nobody cuts.
	client    kubernetes.Interface
	watchList bool
}

func main() {
	kubeconfig := flag.String("kubeconfig", "", "the server to talk to")
	flag.Parse()
	// Reflectors tell about every connection that the checks cut.
	klog.SetSlogLogger(slog.New(slog.DiscardHandler))
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		fatal(err)
	}
	config.QPS, config.Burst = 2000, 4000
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		fatal(err)
	}
	w := &world{config: config, client: client, watchList: features.FeatureGates().Enabled(features.WatchListClient)}
	fmt.Printf("client-go with WatchList: %v\n", w.watchList)
	failed := 0
	for _, one := range checks {
		if !runCheck(one, w) {
			failed++
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}

var checks = []check{
	{"informers in JSON and protobuf see exactly the final state of many writers, over connections that break", checkFinalState},
	{"an informer with a field selector follows objects into its selection and out of it", checkFieldSelector},
	{"an index answers as a search would", checkIndex},
	{"a resync tells the handlers again what is known", checkResync},
	{"an informer that missed too much lists again (410)", checkExpired},
	{"a dynamic and a metadata informer see the final state", checkDynamicAndMetadata},
	{"typed apply owns fields, meets conflicts and can force them", checkTypedApply},
	{"increments with retry on conflict are all counted", checkRetryOnConflict},
	{"a lease has one leader at a time, and the next takes over", checkLeaderElection},
	{"a watch in protobuf ends with the error of an expired resourceVersion", checkExpiredWatch},
	{"typed and dynamic clients that are told to read, write, apply and watch CBOR, where it is allowed", checkCBOR},
}

func runCheck(one check, w *world) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	start := time.Now()
	if err := one.run(ctx, w); err != nil {
		fmt.Printf("FAIL %s: %v\n", one.name, err)
		return false
	}
	fmt.Printf("ok   %s (%d ms)\n", one.name, time.Since(start).Milliseconds())
	return true
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// until asks again and again, and says at the end why it never held.
func until(ctx context.Context, holds func() error) error {
	for {
		err := holds()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("never came true: %w", err)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// jsonConfig and protobufConfig are the two encodings in which everything is tried.
func jsonConfig(w *world) *rest.Config {
	config := rest.CopyConfig(w.config)
	config.ContentType = "application/json"
	config.AcceptContentTypes = "application/json"
	return config
}

func protobufConfig(w *world) *rest.Config {
	config := rest.CopyConfig(w.config)
	config.ContentType = "application/vnd.kubernetes.protobuf"
	config.AcceptContentTypes = "application/vnd.kubernetes.protobuf"
	return config
}

func listOptions(selector string) func(*metav1.ListOptions) {
	return func(options *metav1.ListOptions) { options.FieldSelector = selector }
}
