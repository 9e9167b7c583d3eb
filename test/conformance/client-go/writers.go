package main

import (
	"context"
	"fmt"
	"math/rand"
	"sync"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

func makeNamespace(ctx context.Context, client kubernetes.Interface, prefix string) (string, error) {
	made, err := client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: prefix}}, metav1.CreateOptions{})
	if err != nil {
		return "", err
	}
	return made.Name, nil
}

// load is what several writers do to the config maps of a namespace, among each other and all at once.
type load struct {
	client    kubernetes.Interface
	namespace string
	writers   int
	// each writer does so many things, to so many names that all writers share.
	steps int
	names int
}

func (l load) run(ctx context.Context) error {
	var done sync.WaitGroup
	failures := make(chan error, l.writers)
	for i := range l.writers {
		done.Add(1)
		go func() {
			defer done.Done()
			random := rand.New(rand.NewSource(int64(i)))
			for step := range l.steps {
				if err := l.step(ctx, random, i, step); err != nil {
					failures <- fmt.Errorf("writer %d: %w", i, err)
					return
				}
			}
		}()
	}
	done.Wait()
	select {
	case err := <-failures:
		return err
	default:
		return nil
	}
}

func (l load) step(ctx context.Context, random *rand.Rand, writer, step int) error {
	maps := l.client.CoreV1().ConfigMaps(l.namespace)
	name := fmt.Sprintf("map-%d", random.Intn(l.names))
	data := map[string]string{"by": fmt.Sprintf("%d/%d", writer, step)}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"writer": fmt.Sprint(writer)}}, Data: data}
	var err error
	switch random.Intn(5) {
	case 0, 1:
		_, err = maps.Create(ctx, object, metav1.CreateOptions{})
	case 2, 3:
		_, err = maps.Update(ctx, object, metav1.UpdateOptions{})
	case 4:
		err = maps.Delete(ctx, name, metav1.DeleteOptions{})
	}
	if apierrors.IsAlreadyExists(err) || apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil
	}
	return err
}
