package main

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

var configMaps = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}

// view is what handlers were told, kept apart from the informer's own store.
type view struct {
	mu       sync.Mutex
	versions map[string]string
	// problems are events that contradict what was told before.
	problems []string
	resynced atomic.Int64
}

func newView() *view { return &view{versions: map[string]string{}} }

func (v *view) handler() cache.ResourceEventHandler {
	return cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { v.put(object, false) },
		UpdateFunc: func(old, object any) {
			if versionOf(old) == versionOf(object) {
				v.resynced.Add(1)
			}
			v.put(object, true)
		},
		DeleteFunc: v.drop,
	}
}

func (v *view) put(object any, known bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	key, _ := cache.MetaNamespaceKeyFunc(object)
	if _, had := v.versions[key]; had != known {
		v.problems = append(v.problems, fmt.Sprintf("%s was told as known=%v and was known=%v", key, known, had))
	}
	v.versions[key] = versionOf(object)
}

func (v *view) drop(object any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(object)
	if _, had := v.versions[key]; !had {
		v.problems = append(v.problems, key+" was deleted and never there")
	}
	delete(v.versions, key)
}

func (v *view) differs(wanted map[string]string) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.problems) > 0 {
		return fmt.Errorf("handlers were told nonsense: %v", v.problems)
	}
	return sameVersions("handlers", v.versions, wanted)
}

func versionOf(object any) string {
	accessor, err := meta.Accessor(object)
	if err != nil {
		return err.Error()
	}
	return string(accessor.GetUID()) + "@" + accessor.GetResourceVersion()
}

func versionsIn(objects []any) map[string]string {
	versions := map[string]string{}
	for _, object := range objects {
		key, _ := cache.MetaNamespaceKeyFunc(object)
		versions[key] = versionOf(object)
	}
	return versions
}

func sameVersions(who string, got, wanted map[string]string) error {
	if reflect.DeepEqual(got, wanted) {
		return nil
	}
	return fmt.Errorf("%s know %d objects, the server has %d: %v, %v", who, len(got), len(wanted), got, wanted)
}

// listed is the truth: what a list says when nobody writes any more.
func listed(ctx context.Context, client kubernetes.Interface, namespace string) (map[string]string, error) {
	list, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	versions := map[string]string{}
	for i := range list.Items {
		key, _ := cache.MetaNamespaceKeyFunc(&list.Items[i])
		versions[key] = versionOf(&list.Items[i])
	}
	return versions, nil
}

// observed is one informer under test.
type observed struct {
	name     string
	informer cache.SharedIndexInformer
	view     *view
	wire     *wire
}

func (o observed) agreesWith(wanted map[string]string) error {
	if err := sameVersions(o.name+": the store", versionsIn(o.informer.GetStore().List()), wanted); err != nil {
		return err
	}
	if err := o.view.differs(wanted); err != nil {
		return fmt.Errorf("%s: %w", o.name, err)
	}
	return nil
}

func typedInformer(name string, config *rest.Config, namespace string, resync time.Duration) (observed, error) {
	wire := newWire()
	client, err := kubernetes.NewForConfig(wire.into(config))
	if err != nil {
		return observed{}, err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, resync, informers.WithNamespace(namespace))
	return observe(name, factory.Core().V1().ConfigMaps().Informer(), wire)
}

func observe(name string, informer cache.SharedIndexInformer, wire *wire) (observed, error) {
	one := observed{name, informer, newView(), wire}
	_, err := informer.AddEventHandler(one.view.handler())
	return one, err
}

func start(ctx context.Context, all ...observed) error {
	for _, one := range all {
		go one.informer.Run(ctx.Done())
	}
	for _, one := range all {
		if !cache.WaitForCacheSync(ctx.Done(), one.informer.HasSynced) {
			return fmt.Errorf("%s never was in sync", one.name)
		}
	}
	return nil
}

func checkFinalState(ctx context.Context, w *world) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	namespace, err := makeNamespace(ctx, w.client, "final-")
	if err != nil {
		return err
	}
	var all []observed
	for i := range 2 {
		for name, config := range map[string]*rest.Config{"json": jsonConfig(w), "protobuf": protobufConfig(w)} {
			one, err := typedInformer(fmt.Sprintf("%s %d", name, i), config, namespace, 0)
			if err != nil {
				return err
			}
			all = append(all, one)
		}
	}
	if err := start(ctx, all...); err != nil {
		return err
	}
	if err := underCuts(ctx, all, load{w.client, namespace, 8, 150, 40}); err != nil {
		return err
	}
	wanted, err := listed(ctx, w.client, namespace)
	if err != nil {
		return err
	}
	if len(wanted) == 0 {
		return fmt.Errorf("nothing is left to compare")
	}
	for _, one := range all {
		if err := until(ctx, func() error { return one.agreesWith(wanted) }); err != nil {
			return err
		}
	}
	return usedWhatTheyShould(w, all)
}

// underCuts lets the writers run while every other informer loses its connections.
func underCuts(ctx context.Context, all []observed, load load) error {
	done := make(chan error, 1)
	go func() { done <- load.run(ctx) }()
	cuts := 0
	for {
		select {
		case err := <-done:
			if err == nil && cuts == 0 {
				return fmt.Errorf("no watch was ever cut")
			}
			return err
		case <-time.After(100 * time.Millisecond):
			for i, one := range all {
				if i%2 == 0 {
					cuts += one.wire.cut()
				}
			}
		}
	}
}

func usedWhatTheyShould(w *world, all []observed) error {
	for _, one := range all {
		if used := one.wire.watchList.Load() > 0; used != w.watchList {
			return fmt.Errorf("%s used WatchList: %v", one.name, used)
		}
		if w.watchList && one.wire.lists.Load() > 0 {
			return fmt.Errorf("%s fell back to %d plain lists", one.name, one.wire.lists.Load())
		}
		if used := one.wire.protobuf.Load() > 0; used != (one.name[0] == 'p') {
			return fmt.Errorf("%s read protobuf: %v", one.name, used)
		}
	}
	return nil
}

func checkIndex(ctx context.Context, w *world) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	namespace, err := makeNamespace(ctx, w.client, "index-")
	if err != nil {
		return err
	}
	one, err := typedInformer("protobuf", protobufConfig(w), namespace, 0)
	if err != nil {
		return err
	}
	byWriter := func(object any) ([]string, error) { return []string{object.(*corev1.ConfigMap).Labels["writer"]}, nil }
	if err := one.informer.AddIndexers(cache.Indexers{"writer": byWriter}); err != nil {
		return err
	}
	if err := start(ctx, one); err != nil {
		return err
	}
	if err := (load{w.client, namespace, 4, 60, 20}).run(ctx); err != nil {
		return err
	}
	return until(ctx, func() error {
		wanted, err := listed(ctx, w.client, namespace)
		if err != nil {
			return err
		}
		if err := one.agreesWith(wanted); err != nil {
			return err
		}
		return indexAgrees(ctx, w, namespace, one.informer.GetIndexer())
	})
}

func indexAgrees(ctx context.Context, w *world, namespace string, indexer cache.Indexer) error {
	for writer := range 4 {
		selector := metav1.ListOptions{LabelSelector: fmt.Sprintf("writer=%d", writer)}
		list, err := w.client.CoreV1().ConfigMaps(namespace).List(ctx, selector)
		if err != nil {
			return err
		}
		indexed, err := indexer.ByIndex("writer", fmt.Sprint(writer))
		if err != nil {
			return err
		}
		if len(indexed) != len(list.Items) {
			return fmt.Errorf("writer %d: %d by index, %d by selector", writer, len(indexed), len(list.Items))
		}
	}
	return nil
}

func checkResync(ctx context.Context, w *world) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	namespace, err := makeNamespace(ctx, w.client, "resync-")
	if err != nil {
		return err
	}
	if err := (load{w.client, namespace, 1, 20, 5}).run(ctx); err != nil {
		return err
	}
	one, err := typedInformer("json", jsonConfig(w), namespace, time.Second)
	if err != nil {
		return err
	}
	if err := start(ctx, one); err != nil {
		return err
	}
	return until(ctx, func() error {
		if told := one.view.resynced.Load(); told < 2 {
			return fmt.Errorf("told again %d times", told)
		}
		return nil
	})
}

func checkFieldSelector(ctx context.Context, w *world) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	namespace, err := makeNamespace(ctx, w.client, "fields-")
	if err != nil {
		return err
	}
	wire := newWire()
	client, err := kubernetes.NewForConfig(wire.into(protobufConfig(w)))
	if err != nil {
		return err
	}
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace), informers.WithTweakListOptions(listOptions("spec.nodeName=here")))
	one, err := observe("protobuf", factory.Core().V1().Pods().Informer(), wire)
	if err != nil {
		return err
	}
	if err := start(ctx, one); err != nil {
		return err
	}
	if err := moveIntoSelection(ctx, w.client, namespace); err != nil {
		return err
	}
	return until(ctx, func() error {
		pods, err := w.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{FieldSelector: "spec.nodeName=here"})
		if err != nil {
			return err
		}
		if len(pods.Items) != 2 {
			return fmt.Errorf("the server has %d pods here", len(pods.Items))
		}
		wanted := map[string]string{}
		for i := range pods.Items {
			key, _ := cache.MetaNamespaceKeyFunc(&pods.Items[i])
			wanted[key] = versionOf(&pods.Items[i])
		}
		return one.agreesWith(wanted)
	})
}

// moveIntoSelection leaves two pods on the node: one made there, one bound to it; a third is on another node, a fourth was here and is gone.
func moveIntoSelection(ctx context.Context, client kubernetes.Interface, namespace string) error {
	pods := client.CoreV1().Pods(namespace)
	for name, node := range map[string]string{"made": "here", "bound": "", "elsewhere": "there", "gone": "here"} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "c", Image: "i"}}}}
		if err := withServiceAccount(ctx, func() error { _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); return err }); err != nil {
			return err
		}
	}
	binding := &corev1.Binding{ObjectMeta: metav1.ObjectMeta{Name: "bound"}, Target: corev1.ObjectReference{Kind: "Node", Name: "here"}}
	if err := pods.Bind(ctx, binding, metav1.CreateOptions{}); err != nil {
		return err
	}
	now := int64(0)
	return pods.Delete(ctx, "gone", metav1.DeleteOptions{GracePeriodSeconds: &now})
}

// withServiceAccount waits for the account that a new namespace gets a moment later.
func withServiceAccount(ctx context.Context, create func() error) error {
	return until(ctx, create)
}

func checkExpired(ctx context.Context, w *world) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	namespace, err := makeNamespace(ctx, w.client, "expired-")
	if err != nil {
		return err
	}
	var all []observed
	for name, config := range map[string]*rest.Config{"json": jsonConfig(w), "protobuf": protobufConfig(w)} {
		one, err := typedInformer(name, config, namespace, 0)
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	if err := start(ctx, all...); err != nil {
		return err
	}
	// A reflector resumes only a watch that has told it something.
	if err := (load{w.client, namespace, 1, 20, 10}).run(ctx); err != nil {
		return err
	}
	if err := agreeInTheEnd(ctx, w, namespace, all); err != nil {
		return err
	}
	for _, one := range all {
		one.wire.hold()
		one.wire.cut()
	}
	if err := missMuch(ctx, w, namespace); err != nil {
		return err
	}
	for _, one := range all {
		one.wire.release()
	}
	if err := agreeInTheEnd(ctx, w, namespace, all); err != nil {
		return err
	}
	for _, one := range all {
		if one.wire.expired.Load() == 0 {
			return fmt.Errorf("%s was never told that its resourceVersion is too old", one.name)
		}
	}
	return nil
}

func agreeInTheEnd(ctx context.Context, w *world, namespace string, all []observed) error {
	for _, one := range all {
		err := until(ctx, func() error {
			wanted, err := listed(ctx, w.client, namespace)
			if err != nil {
				return err
			}
			return one.agreesWith(wanted)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// missMuch writes more than the server remembers: it keeps changes by their number and by their size.
func missMuch(ctx context.Context, w *world, namespace string) error {
	const writes, size = 300, 150_000
	maps := w.client.CoreV1().ConfigMaps(namespace)
	large := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "large"}}
	if _, err := maps.Create(ctx, large, metav1.CreateOptions{}); err != nil {
		return err
	}
	for i := range writes {
		large.Data = map[string]string{"k": strings.Repeat(fmt.Sprintf("%09d ", i), size/10)}
		if _, err := maps.Update(ctx, large, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	return maps.Delete(ctx, "large", metav1.DeleteOptions{})
}

func checkExpiredWatch(ctx context.Context, w *world) error {
	client, err := kubernetes.NewForConfig(protobufConfig(w))
	if err != nil {
		return err
	}
	watch, err := client.CoreV1().ConfigMaps("").Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
	if err != nil {
		return err
	}
	defer watch.Stop()
	select {
	case event := <-watch.ResultChan():
		status, isStatus := event.Object.(*metav1.Status)
		if event.Type != "ERROR" || !isStatus || status.Code != 410 || status.Reason != metav1.StatusReasonExpired {
			return fmt.Errorf("got %v %v", event.Type, event.Object)
		}
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func checkDynamicAndMetadata(ctx context.Context, w *world) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	namespace, err := makeNamespace(ctx, w.client, "dynamic-")
	if err != nil {
		return err
	}
	byName, err := dynamicObserved(w, namespace)
	if err != nil {
		return err
	}
	partial, err := metadataObserved(w, namespace)
	if err != nil {
		return err
	}
	if err := start(ctx, byName, partial); err != nil {
		return err
	}
	if err := underCuts(ctx, []observed{byName, partial}, load{w.client, namespace, 4, 80, 20}); err != nil {
		return err
	}
	wanted, err := listed(ctx, w.client, namespace)
	if err != nil {
		return err
	}
	for _, one := range []observed{byName, partial} {
		if err := until(ctx, func() error { return one.agreesWith(wanted) }); err != nil {
			return err
		}
	}
	return onlyMetadata(partial.informer.GetStore().List())
}

func dynamicObserved(w *world, namespace string) (observed, error) {
	wire := newWire()
	client, err := dynamic.NewForConfig(wire.into(jsonConfig(w)))
	if err != nil {
		return observed{}, err
	}
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, namespace, nil)
	return observe("dynamic", factory.ForResource(configMaps).Informer(), wire)
}

func metadataObserved(w *world, namespace string) (observed, error) {
	wire := newWire()
	client, err := metadata.NewForConfig(wire.into(rest.CopyConfig(w.config)))
	if err != nil {
		return observed{}, err
	}
	factory := metadatainformer.NewFilteredSharedInformerFactory(client, 0, namespace, nil)
	return observe("metadata", factory.ForResource(configMaps).Informer(), wire)
}

func onlyMetadata(objects []any) error {
	for _, object := range objects {
		partial, is := object.(*metav1.PartialObjectMetadata)
		if !is {
			return fmt.Errorf("a metadata informer holds %T", object)
		}
		// The server puts a map of its own into every namespace.
		if !strings.HasPrefix(partial.Name, "map-") {
			continue
		}
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(partial)
		if err != nil {
			return err
		}
		if _, has := content["data"]; has || partial.Labels["writer"] == "" {
			return fmt.Errorf("not just the metadata: %v", content)
		}
	}
	return nil
}
