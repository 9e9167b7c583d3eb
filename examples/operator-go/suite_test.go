// The tests of the operator, as kubebuilder lays them out: envtest starts a server, the manager runs in this process.
// KUBEBUILDER_ASSETS says whose: the programs of binnacle, or those of Kubernetes.
package operator

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"

	webv1 "example.com/operator/api/v1"
	"example.com/operator/controller"
	"example.com/operator/webhooks"
)

var (
	k8s client.Client
	ctx context.Context
	// Why nobody deletes what lies in a namespace or has lost its owner; empty: somebody does.
	noCollector string
)

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (int, error) {
	var cancel context.CancelFunc
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	ctrl.SetLogger(logr.Discard())
	if err := webv1.AddToScheme(scheme.Scheme); err != nil {
		return 1, err
	}
	environment := &envtest.Environment{
		CRDDirectoryPaths:     []string{"config/crd"},
		ErrorIfCRDPathMissing: true,
		WebhookInstallOptions: envtest.WebhookInstallOptions{Paths: []string{"config/webhook"}},
	}
	started := time.Now()
	config, err := environment.Start()
	if err != nil {
		return 1, err
	}
	defer environment.Stop()
	fmt.Printf("the environment was up after %d ms\n", time.Since(started).Milliseconds())
	hooks := environment.WebhookInstallOptions
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Metrics:       server.Options{BindAddress: "0"},
		WebhookServer: webhook.NewServer(webhook.Options{Host: hooks.LocalServingHost, Port: hooks.LocalServingPort, CertDir: hooks.LocalServingCertDir}),
	})
	if err != nil {
		return 1, err
	}
	if err := (&controller.SiteReconciler{Client: manager.GetClient()}).Register(manager); err != nil {
		return 1, err
	}
	if err := webhooks.Register(manager); err != nil {
		return 1, err
	}
	go manager.Start(ctx)
	if k8s, err = client.New(config, client.Options{}); err != nil {
		return 1, err
	}
	if err := eventually(func() error { return manager.GetWebhookServer().StartedChecker()(nil) }); err != nil {
		return 1, err
	}
	stop, err := startControllerManager(environment)
	if err != nil {
		return 1, err
	}
	defer stop()
	noCollector = askForCollector()
	return m.Run(), nil
}

// Kubernetes has the namespace controller and the garbage collector in a program of its own, which envtest does not start.
func startControllerManager(environment *envtest.Environment) (func(), error) {
	program := filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kube-controller-manager")
	if _, err := os.Stat(program); err != nil {
		return func() {}, nil
	}
	admin, err := environment.AddUser(envtest.User{Name: "controllers", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		return nil, err
	}
	text, err := admin.KubeConfig()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "controllers-")
	if err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	if err := os.WriteFile(kubeconfig, text, 0o600); err != nil {
		return nil, err
	}
	command := exec.Command(program, "--kubeconfig="+kubeconfig, "--leader-elect=false", "--secure-port=0",
		"--controllers=namespace-controller,garbage-collector-controller")
	if err := command.Start(); err != nil {
		return nil, err
	}
	return func() {
		command.Process.Kill()
		command.Wait()
		os.RemoveAll(folder)
	}, nil
}

// What a server can do is asked of the server, not of its name: a namespace that is deleted goes, or stays for ever.
func askForCollector() string {
	probe := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "probe-"}}
	if err := k8s.Create(ctx, probe); err != nil {
		return err.Error()
	}
	if err := k8s.Delete(ctx, probe); err != nil {
		return err.Error()
	}
	if err := gone(probe); err != nil {
		return "this server deletes no namespaces: there is no kube-controller-manager beside it"
	}
	return ""
}

// A namespace of its own for each test, which goes with the test.
func namespaceFor(t *testing.T) string {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "test-"}}
	if err := k8s.Create(ctx, namespace); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k8s.Delete(ctx, namespace); err != nil {
			t.Error(err)
		}
		if noCollector != "" {
			t.Log("the namespace stays: " + noCollector)
		} else if err := gone(namespace); err != nil {
			t.Error(err)
		}
	})
	return namespace.Name
}

func gone(object client.Object) error {
	return eventually(func() error {
		err := k8s.Get(ctx, client.ObjectKeyFromObject(object), object)
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("%s is still there (%v)", object.GetName(), err)
	})
}

func eventually(check func() error) error {
	deadline := time.Now().Add(20 * time.Second)
	for {
		err := check()
		if err == nil || time.Now().After(deadline) {
			return err
		}
		time.Sleep(20 * time.Millisecond)
	}
}
