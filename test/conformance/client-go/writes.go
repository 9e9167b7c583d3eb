package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/retry"
)

func checkTypedApply(ctx context.Context, w *world) error {
	client, err := kubernetes.NewForConfig(protobufConfig(w))
	if err != nil {
		return err
	}
	namespace, err := makeNamespace(ctx, client, "apply-")
	if err != nil {
		return err
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	wanted := func(value string) *applycore.ConfigMapApplyConfiguration {
		return applycore.ConfigMap("applied", namespace).WithData(map[string]string{"k": value})
	}
	if _, err := maps.Apply(ctx, wanted("one"), metav1.ApplyOptions{FieldManager: "first"}); err != nil {
		return err
	}
	if _, err := maps.Apply(ctx, wanted("two"), metav1.ApplyOptions{FieldManager: "second"}); !apierrors.IsConflict(err) {
		return fmt.Errorf("the second manager should meet a conflict, not %v", err)
	}
	forced, err := maps.Apply(ctx, wanted("two"), metav1.ApplyOptions{FieldManager: "second", Force: true})
	if err != nil {
		return err
	}
	if forced.Data["k"] != "two" {
		return fmt.Errorf("forced, and it says %q", forced.Data["k"])
	}
	return extractAndGiveUp(ctx, client, forced)
}

// extractAndGiveUp reads back what a manager owns and stops applying it.
func extractAndGiveUp(ctx context.Context, client kubernetes.Interface, object *corev1.ConfigMap) error {
	owned, err := applycore.ExtractConfigMap(object, "second")
	if err != nil {
		return err
	}
	if owned.Data["k"] != "two" {
		return fmt.Errorf("the second manager owns %v", owned.Data)
	}
	owned.Data = nil
	after, err := client.CoreV1().ConfigMaps(object.Namespace).Apply(ctx, owned, metav1.ApplyOptions{FieldManager: "second"})
	if err != nil {
		return err
	}
	if _, has := after.Data["k"]; has {
		return fmt.Errorf("nobody applies it any more, and it is there: %v", after.Data)
	}
	return nil
}

func checkRetryOnConflict(ctx context.Context, w *world) error {
	const writers, each = 8, 15
	namespace, err := makeNamespace(ctx, w.client, "count-")
	if err != nil {
		return err
	}
	maps := w.client.CoreV1().ConfigMaps(namespace)
	if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "counter"}, Data: map[string]string{"n": "0"}}, metav1.CreateOptions{}); err != nil {
		return err
	}
	var done sync.WaitGroup
	var conflicts, failures atomic.Int64
	patient := retry.DefaultBackoff
	patient.Steps = 100
	for range writers {
		done.Add(1)
		go func() {
			defer done.Done()
			for range each {
				if retry.RetryOnConflict(patient, func() error { return increment(ctx, w.client, namespace, &conflicts) }) != nil {
					failures.Add(1)
				}
			}
		}()
	}
	done.Wait()
	counter, err := maps.Get(ctx, "counter", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if counter.Data["n"] != strconv.Itoa(writers*each) || conflicts.Load() == 0 || failures.Load() > 0 {
		return fmt.Errorf("counted %s of %d, %d conflicts, %d failures", counter.Data["n"], writers*each, conflicts.Load(), failures.Load())
	}
	return nil
}

func increment(ctx context.Context, client kubernetes.Interface, namespace string, conflicts *atomic.Int64) error {
	maps := client.CoreV1().ConfigMaps(namespace)
	counter, err := maps.Get(ctx, "counter", metav1.GetOptions{})
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(counter.Data["n"])
	if err != nil {
		return err
	}
	counter.Data["n"] = strconv.Itoa(n + 1)
	_, err = maps.Update(ctx, counter, metav1.UpdateOptions{})
	if apierrors.IsConflict(err) {
		conflicts.Add(1)
	}
	return err
}

func checkLeaderElection(ctx context.Context, w *world) error {
	namespace, err := makeNamespace(ctx, w.client, "leader-")
	if err != nil {
		return err
	}
	elected := make(chan string, 10)
	candidates := map[string]context.CancelFunc{}
	for _, name := range []string{"a", "b", "c"} {
		running, stop := context.WithCancel(ctx)
		defer stop()
		candidates[name] = stop
		go campaign(running, w.client, namespace, name, elected)
	}
	for range candidates {
		select {
		case leader := <-elected:
			if err := leadsAlone(ctx, w.client, namespace, leader, elected); err != nil {
				return err
			}
			candidates[leader]()
		case <-ctx.Done():
			return fmt.Errorf("nobody took over")
		}
	}
	return nil
}

// leadsAlone looks for a few periods of retry whether somebody else is elected too.
func leadsAlone(ctx context.Context, client kubernetes.Interface, namespace, leader string, elected <-chan string) error {
	lease, err := client.CoordinationV1().Leases(namespace).Get(ctx, "lock", metav1.GetOptions{})
	if err != nil {
		return err
	}
	if holder := lease.Spec.HolderIdentity; holder == nil || *holder != leader {
		return fmt.Errorf("%s leads and the lease says %v", leader, holder)
	}
	select {
	case other := <-elected:
		return fmt.Errorf("%s and %s lead", leader, other)
	case <-time.After(500 * time.Millisecond):
		return nil
	}
}

func campaign(ctx context.Context, client kubernetes.Interface, namespace, name string, elected chan<- string) {
	lock := &resourcelock.LeaseLock{
		LeaseMeta:  metav1.ObjectMeta{Name: "lock", Namespace: namespace},
		Client:     client.CoordinationV1(),
		LockConfig: resourcelock.ResourceLockConfig{Identity: name},
	}
	leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Lock:            lock,
		ReleaseOnCancel: true,
		LeaseDuration:   4 * time.Second,
		RenewDeadline:   3 * time.Second,
		RetryPeriod:     100 * time.Millisecond,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { elected <- name },
			OnStoppedLeading: func() {},
		},
	})
}
