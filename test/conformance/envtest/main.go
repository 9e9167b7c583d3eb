// A controller on controller-runtime, in an environment that envtest starts with our server as its kube-apiserver.
// KUBEBUILDER_ASSETS, which names the folder with the programs, is all that it needs.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const objects = 25

func main() {
	log.SetLogger(logr.Discard())
	if len(os.Args) > 1 && os.Args[1] == "start" {
		if err := measureStart(); err != nil {
			fmt.Println("FAIL envtest:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(); err != nil {
		fmt.Println("FAIL envtest:", err)
		os.Exit(1)
	}
	fmt.Println("ok   a controller on controller-runtime, in an environment of envtest, labels every config map; its webhooks default, refuse and convert a custom kind")
}

// measureStart prints how many milliseconds Environment.Start() takes with the programs of KUBEBUILDER_ASSETS.
func measureStart() error {
	environment := &envtest.Environment{}
	begin := time.Now()
	if _, err := environment.Start(); err != nil {
		return err
	}
	fmt.Println(time.Since(begin).Milliseconds())
	return environment.Stop()
}

func run() error {
	scheme := runtime.NewScheme()
	if err := clientscheme.AddToScheme(scheme); err != nil {
		return err
	}
	addBerths(scheme)
	environment := &envtest.Environment{
		Scheme:                scheme,
		CRDs:                  []*apiextensionsv1.CustomResourceDefinition{berthDefinition()},
		WebhookInstallOptions: berthWebhooks(),
	}
	config, err := environment.Start()
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	defer environment.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:        scheme,
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: webhookServer(environment.WebhookInstallOptions),
	})
	if err != nil {
		return err
	}
	if err := ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(&labeller{manager.GetClient()}); err != nil {
		return err
	}
	if err := addBerthWebhooks(manager); err != nil {
		return err
	}
	go manager.Start(ctx)
	if err := check(ctx, manager.GetClient()); err != nil {
		return err
	}
	return checkWebhooks(ctx, manager)
}

// labeller is the smallest controller that has something to do.
type labeller struct{ client client.Client }

func (l *labeller) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var found corev1.ConfigMap
	if err := l.client.Get(ctx, request.NamespacedName, &found); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if found.Labels["seen"] == "yes" {
		return ctrl.Result{}, nil
	}
	before := found.DeepCopy()
	found.Labels = map[string]string{"seen": "yes"}
	return ctrl.Result{}, l.client.Patch(ctx, &found, client.MergeFrom(before))
}

func check(ctx context.Context, writer client.Client) error {
	for i := range objects {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("map-%d", i), Namespace: "default"}}
		if err := writer.Create(ctx, object); err != nil {
			return err
		}
	}
	for {
		var list corev1.ConfigMapList
		err := writer.List(ctx, &list, client.InNamespace("default"), client.MatchingLabels{"seen": "yes"})
		if err == nil && len(list.Items) >= objects {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d were seen, %v", len(list.Items), objects, err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}
