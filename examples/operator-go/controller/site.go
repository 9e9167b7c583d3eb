// Package controller makes of every Site what serves it: a ConfigMap with its text and a Deployment, both owned by it.
package controller

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"

	webv1 "example.com/operator/api/v1"
)

type SiteReconciler struct{ client.Client }

func (r *SiteReconciler) Register(manager ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(manager).For(&webv1.Site{}).Owns(&corev1.ConfigMap{}).Owns(&appsv1.Deployment{}).Complete(r)
}

func (r *SiteReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	site := &webv1.Site{}
	if err := r.Get(ctx, request.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if site.DeletionTimestamp != nil {
		return ctrl.Result{}, nil
	}
	meta := metav1.ObjectMeta{Name: site.Name, Namespace: site.Namespace}
	text := &corev1.ConfigMap{ObjectMeta: meta}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, text, func() error {
		text.Data = map[string]string{"index.html": site.Spec.Text}
		return controllerutil.SetControllerReference(site, text, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	servers := &appsv1.Deployment{ObjectMeta: meta}
	if _, err := controllerutil.CreateOrUpdate(ctx, r.Client, servers, func() error {
		labels := map[string]string{"site": site.Name}
		servers.Spec.Replicas = site.Spec.Replicas
		servers.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
		servers.Spec.Template.Labels = labels
		servers.Spec.Template.Spec.Containers = []corev1.Container{{Name: "web", Image: "nginx"}}
		return controllerutil.SetControllerReference(site, servers, r.Scheme())
	}); err != nil {
		return ctrl.Result{}, err
	}
	site.Status = webv1.SiteStatus{ObservedGeneration: site.Generation, ConfigMap: text.Name}
	return ctrl.Result{}, r.Status().Update(ctx, site)
}
