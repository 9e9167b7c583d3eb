package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const (
	defaultOwner = "harbour master"
	refusedHost  = "reef"
	refusal      = "there is a reef"
)

// berthWebhooks are asked in v1, whatever version a client writes.
func berthWebhooks() envtest.WebhookInstallOptions {
	rules := func(operations ...admissionv1.OperationType) []admissionv1.RuleWithOperations {
		rule := admissionv1.Rule{APIGroups: []string{berthGroup}, APIVersions: []string{"v1"}, Resources: []string{"berths"}}
		return []admissionv1.RuleWithOperations{{Operations: operations, Rule: rule}}
	}
	// envtest puts its own host and port in place of the service.
	at := func(path string) admissionv1.WebhookClientConfig {
		return admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "default", Name: "berths", Path: &path}}
	}
	none := admissionv1.SideEffectClassNone
	versions := []string{"v1"}
	return envtest.WebhookInstallOptions{
		MutatingWebhooks: []*admissionv1.MutatingWebhookConfiguration{{
			ObjectMeta: metav1.ObjectMeta{Name: "berths"},
			Webhooks: []admissionv1.MutatingWebhook{{
				Name: "default.harbour.test", ClientConfig: at("mutate-harbour-test-v1-berth"), SideEffects: &none, AdmissionReviewVersions: versions,
				Rules: rules(admissionv1.Create, admissionv1.Update),
			}},
		}},
		ValidatingWebhooks: []*admissionv1.ValidatingWebhookConfiguration{{
			ObjectMeta: metav1.ObjectMeta{Name: "berths"},
			Webhooks: []admissionv1.ValidatingWebhook{{
				Name: "validate.harbour.test", ClientConfig: at("validate-harbour-test-v1-berth"), SideEffects: &none, AdmissionReviewVersions: versions,
				Rules: rules(admissionv1.Create, admissionv1.Update, admissionv1.Delete),
			}},
		}},
	}
}

func webhookServer(options envtest.WebhookInstallOptions) webhook.Server {
	return webhook.NewServer(webhook.Options{Host: options.LocalServingHost, Port: options.LocalServingPort, CertDir: options.LocalServingCertDir})
}

func addBerthWebhooks(manager ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(manager, &Berth{}).WithDefaulter(berthRules{}).WithValidator(berthRules{}).Complete()
}

type berthRules struct{}

func (berthRules) Default(_ context.Context, berth *Berth) error {
	if berth.Spec.Owner == "" {
		berth.Spec.Owner = defaultOwner
	}
	return nil
}

func (berthRules) ValidateCreate(_ context.Context, berth *Berth) (admission.Warnings, error) {
	if berth.Spec.Host == refusedHost {
		return nil, errors.New(refusal)
	}
	return nil, nil
}

func (r berthRules) ValidateUpdate(ctx context.Context, _, berth *Berth) (admission.Warnings, error) {
	return r.ValidateCreate(ctx, berth)
}

func (berthRules) ValidateDelete(_ context.Context, berth *Berth) (admission.Warnings, error) {
	if berth.Spec.Host == "pier" {
		return nil, errors.New("the pier stays")
	}
	return nil, nil
}

func checkWebhooks(ctx context.Context, manager ctrl.Manager) error {
	for manager.GetWebhookServer().StartedChecker()(nil) != nil {
		select {
		case <-ctx.Done():
			return errors.New("the webhook server never started")
		case <-time.After(20 * time.Millisecond):
		}
	}
	// The manager's client reads from its cache.
	direct, err := client.New(manager.GetConfig(), client.Options{Scheme: manager.GetScheme()})
	if err != nil {
		return err
	}
	named := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "default", Name: name} }
	first := &Berth{ObjectMeta: named("first"), Spec: BerthSpec{Host: "quay"}}
	if err := direct.Create(ctx, first); err != nil {
		return fmt.Errorf("create in v1: %w", err)
	}
	if first.Spec.Owner != defaultOwner {
		return fmt.Errorf("the mutating webhook left the owner %q", first.Spec.Owner)
	}
	second := &BerthV2{ObjectMeta: named("second"), Spec: BerthV2Spec{Address: "v2:pier"}}
	if err := direct.Create(ctx, second); err != nil {
		return fmt.Errorf("create in v2: %w", err)
	}
	if second.Spec != (BerthV2Spec{"v2:pier", defaultOwner}) {
		return fmt.Errorf("created in v2: %+v", second.Spec)
	}
	var stored Berth
	if err := direct.Get(ctx, client.ObjectKeyFromObject(second), &stored); err != nil || stored.Spec != (BerthSpec{"pier", defaultOwner}) {
		return fmt.Errorf("created in v2, read in v1: %+v, %v", stored.Spec, err)
	}
	var list BerthV2List
	if err := direct.List(ctx, &list, client.InNamespace("default")); err != nil || len(list.Items) != 2 || list.Items[0].Spec.Address != "v2:quay" {
		return fmt.Errorf("list in v2: %+v, %v", list.Items, err)
	}
	return checkRefusals(ctx, direct, first, second)
}

func checkRefusals(ctx context.Context, writer client.Client, first *Berth, second *BerthV2) error {
	create := &BerthV2{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "third"}, Spec: BerthV2Spec{Address: addressPrefix + refusedHost}}
	if err := writer.Create(ctx, create); !isRefused(err, refusal) {
		return fmt.Errorf("a create that the validating webhook refuses: %v", err)
	}
	first.Spec.Host = refusedHost
	if err := writer.Update(ctx, first); !isRefused(err, refusal) {
		return fmt.Errorf("an update that the validating webhook refuses: %v", err)
	}
	if err := writer.Delete(ctx, second); !isRefused(err, "the pier stays") {
		return fmt.Errorf("a delete that the validating webhook refuses: %v", err)
	}
	return writer.Delete(ctx, first)
}

func isRefused(err error, why string) bool {
	return apierrors.IsForbidden(err) && strings.Contains(err.Error(), `admission webhook "validate.harbour.test" denied the request: `+why)
}
