package operator

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	webv1 "example.com/operator/api/v1"
)

func newSite(namespace, text string) *webv1.Site {
	return &webv1.Site{ObjectMeta: metav1.ObjectMeta{Name: "hello", Namespace: namespace}, Spec: webv1.SiteSpec{Text: text}}
}

func create(t *testing.T, object client.Object) {
	t.Helper()
	if err := k8s.Create(ctx, object); err != nil {
		t.Fatal(err)
	}
}

func reconciled(t *testing.T, site *webv1.Site) {
	t.Helper()
	if err := eventually(func() error {
		if err := k8s.Get(ctx, client.ObjectKeyFromObject(site), site); err != nil {
			return err
		}
		if site.Status.ObservedGeneration != site.Generation {
			return fmt.Errorf("observed %d, is %d", site.Status.ObservedGeneration, site.Generation)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func TestASiteGetsATextAndServers(t *testing.T) {
	site := newSite(namespaceFor(t), "Hello!")
	create(t, site)
	reconciled(t, site)
	text, servers := &corev1.ConfigMap{}, &appsv1.Deployment{}
	for _, object := range []client.Object{text, servers} {
		if err := k8s.Get(ctx, client.ObjectKeyFromObject(site), object); err != nil {
			t.Fatal(err)
		}
		if !metav1.IsControlledBy(object, site) {
			t.Errorf("%T is not owned by its site", object)
		}
	}
	if text.Data["index.html"] != "Hello!" {
		t.Errorf("the text is %q", text.Data["index.html"])
	}
	// No controller of workloads runs in an environment of envtest: nobody makes pods of this.
	if servers.Status.Replicas != 0 || *servers.Spec.Replicas != 1 {
		t.Errorf("the deployment has %d replicas of %d", servers.Status.Replicas, *servers.Spec.Replicas)
	}
}

func TestAChangeReachesTheText(t *testing.T) {
	site := newSite(namespaceFor(t), "before")
	create(t, site)
	reconciled(t, site)
	site.Spec.Text = "after"
	if err := k8s.Update(ctx, site); err != nil {
		t.Fatal(err)
	}
	reconciled(t, site)
	text := &corev1.ConfigMap{}
	if err := k8s.Get(ctx, client.ObjectKeyFromObject(site), text); err != nil || text.Data["index.html"] != "after" {
		t.Fatalf("the text is %q (%v)", text.Data["index.html"], err)
	}
}

func TestWebhooksFillInAndRefuse(t *testing.T) {
	namespace := namespaceFor(t)
	site := newSite(namespace, "Hello!")
	create(t, site)
	if site.Spec.Replicas == nil || *site.Spec.Replicas != 1 {
		t.Error("the defaulting webhook was not asked")
	}
	// The reconciler's write of the status would make this update a conflict.
	reconciled(t, site)
	many := int32(11)
	site.Spec.Replicas = &many
	refused(t, k8s.Update(ctx, site), "spec.replicas: at most 10")
	refused(t, k8s.Create(ctx, newSite(namespace, "")), "spec.text")
	refused(t, k8s.Create(ctx, newSite(namespace, "forbidden")), "this text is not for the web")
}

func refused(t *testing.T, err error, why string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), why) {
		t.Errorf("expected a refusal with %q, got %v", why, err)
	}
}

func TestWhatASiteOwnsGoesWithIt(t *testing.T) {
	if noCollector != "" {
		t.Skip(noCollector)
	}
	for _, policy := range []metav1.DeletionPropagation{metav1.DeletePropagationBackground, metav1.DeletePropagationForeground} {
		t.Run(string(policy), func(t *testing.T) {
			site := newSite(namespaceFor(t), "Hello!")
			create(t, site)
			reconciled(t, site)
			if err := k8s.Delete(ctx, site, client.PropagationPolicy(policy)); err != nil {
				t.Fatal(err)
			}
			meta := metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}
			for _, object := range []client.Object{&corev1.ConfigMap{ObjectMeta: meta}, &appsv1.Deployment{ObjectMeta: meta}, site} {
				if err := gone(object); err != nil {
					t.Errorf("%T: %v", object, err)
				}
			}
		})
	}
}
