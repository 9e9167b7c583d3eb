// Package webhooks says what a Site is by default, and what it may not be.
package webhooks

import (
	"context"
	"fmt"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	webv1 "example.com/operator/api/v1"
)

const maxReplicas = 10

type site struct{}

func Register(manager ctrl.Manager) error {
	return ctrl.NewWebhookManagedBy(manager, &webv1.Site{}).WithDefaulter(site{}).WithValidator(site{}).Complete()
}

func (site) Default(_ context.Context, s *webv1.Site) error {
	if s.Spec.Replicas == nil {
		replicas := int32(1)
		s.Spec.Replicas = &replicas
	}
	return nil
}

func (site) ValidateCreate(_ context.Context, s *webv1.Site) (admission.Warnings, error) {
	return nil, check(s)
}

func (site) ValidateUpdate(_ context.Context, _, s *webv1.Site) (admission.Warnings, error) {
	return nil, check(s)
}

func (site) ValidateDelete(context.Context, *webv1.Site) (admission.Warnings, error) {
	return nil, nil
}

func check(s *webv1.Site) error {
	if s.Spec.Replicas != nil && *s.Spec.Replicas > maxReplicas {
		return fmt.Errorf("spec.replicas: at most %d", maxReplicas)
	}
	return nil
}
