package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/features"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// overheard remembers the media types that went over the wire.
type overheard struct {
	next http.RoundTripper
	lock sync.Mutex
	seen map[string]int
}

func (o *overheard) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := o.next.RoundTrip(request)
	o.lock.Lock()
	defer o.lock.Unlock()
	if sent := request.Header.Get("Content-Type"); sent != "" {
		o.seen["sent "+sent]++
	}
	if err == nil {
		o.seen["got "+strings.Split(response.Header.Get("Content-Type"), ";")[0]]++
	}
	return response, err
}

func cborConfig(w *world) (*rest.Config, *overheard) {
	config := rest.CopyConfig(w.config)
	config.ContentType = "application/cbor"
	config.AcceptContentTypes = "application/cbor"
	heard := &overheard{seen: map[string]int{}}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		heard.next = next
		return heard
	})
	return config, heard
}

// checkCBOR is for servers and clients with CBOR; client-go has it behind a gate of its own.
func checkCBOR(ctx context.Context, w *world) error {
	if !features.FeatureGates().Enabled(features.ClientsAllowCBOR) {
		return nil
	}
	config, heard := cborConfig(w)
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	namespace, err := makeNamespace(ctx, client, "cbor-")
	if err != nil {
		return err
	}
	if err := secretsInCBOR(ctx, client, namespace); err != nil {
		return err
	}
	if err := appliedInCBOR(ctx, client, namespace); err != nil {
		return err
	}
	if err := dynamicInCBOR(ctx, config, namespace); err != nil {
		return err
	}
	for _, wanted := range []string{"sent application/cbor", "got application/cbor", "got application/cbor-seq", "sent application/apply-patch+cbor"} {
		if heard.seen[wanted] == 0 {
			return fmt.Errorf("%s: never, only %v", wanted, heard.seen)
		}
	}
	if heard.seen["got application/json"] > 0 {
		return fmt.Errorf("JSON was answered: %v", heard.seen)
	}
	return nil
}

func secretsInCBOR(ctx context.Context, client kubernetes.Interface, namespace string) error {
	secrets := client.CoreV1().Secrets(namespace)
	follow, err := secrets.Watch(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	defer follow.Stop()
	data := map[string][]byte{"all": {0, 1, 127, 128, 255}, "none": {}}
	made, err := secrets.Create(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: "bytes"}, Data: data}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if !bytes.Equal(made.Data["all"], data["all"]) {
		return fmt.Errorf("bytes came back as %v", made.Data["all"])
	}
	event := <-follow.ResultChan()
	if seen, ok := event.Object.(*corev1.Secret); !ok || event.Type != watch.Added || !bytes.Equal(seen.Data["all"], data["all"]) {
		return fmt.Errorf("the watch tells %v of %v", event.Type, event.Object)
	}
	if _, err := secrets.Get(ctx, "nope", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		return fmt.Errorf("what is not there is %v", err)
	}
	made.StringData = map[string]string{"more": "text"}
	if _, err := secrets.Update(ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	list, err := secrets.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=bytes"})
	if err != nil || len(list.Items) != 1 || string(list.Items[0].Data["more"]) != "text" {
		return fmt.Errorf("the list is %v, %v", list, err)
	}
	grace := int64(0)
	return secrets.Delete(ctx, "bytes", metav1.DeleteOptions{GracePeriodSeconds: &grace})
}

func appliedInCBOR(ctx context.Context, client kubernetes.Interface, namespace string) error {
	wanted := applycore.ConfigMap("applied", namespace).WithData(map[string]string{"k": "v"})
	applied, err := client.CoreV1().ConfigMaps(namespace).Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: "cbor"})
	if err != nil {
		return err
	}
	if applied.Data["k"] != "v" || len(applied.ManagedFields) != 1 {
		return fmt.Errorf("applied, and it is %v", applied)
	}
	return nil
}

func dynamicInCBOR(ctx context.Context, config *rest.Config, namespace string) error {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	maps := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(namespace)
	object := &unstructured.Unstructured{Object: map[string]any{"kind": "ConfigMap", "apiVersion": "v1", "metadata": map[string]any{"name": "dynamic"}, "data": map[string]any{"a": "b"}}}
	if _, err := maps.Create(ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	// Not kube-root-ca.crt, which a controller puts into every namespace.
	list, err := maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name!=kube-root-ca.crt"})
	if err != nil || len(list.Items) != 2 {
		return fmt.Errorf("the list is %v, %v", list, err)
	}
	return nil
}
