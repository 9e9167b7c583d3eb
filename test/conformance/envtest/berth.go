package main

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

const (
	berthGroup = "harbour.test"
	// addressPrefix stands before the host in v2, so that an object that nobody converted shows.
	addressPrefix = "v2:"
)

var (
	v1Berths = schema.GroupVersion{Group: berthGroup, Version: "v1"}
	v2Berths = schema.GroupVersion{Group: berthGroup, Version: "v2"}
)

// Berth is the stored version.
type Berth struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BerthSpec `json:"spec"`
}

type BerthSpec struct {
	Host  string `json:"host,omitempty"`
	Owner string `json:"owner,omitempty"`
}

func (*Berth) Hub() {}

func (b *Berth) DeepCopyObject() runtime.Object {
	return &Berth{b.TypeMeta, *b.ObjectMeta.DeepCopy(), b.Spec}
}

// BerthV2 calls the host an address.
type BerthV2 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              BerthV2Spec `json:"spec"`
}

type BerthV2Spec struct {
	Address string `json:"address,omitempty"`
	Owner   string `json:"owner,omitempty"`
}

func (b *BerthV2) DeepCopyObject() runtime.Object {
	return &BerthV2{b.TypeMeta, *b.ObjectMeta.DeepCopy(), b.Spec}
}

func (b *BerthV2) ConvertTo(hub conversion.Hub) error {
	to := hub.(*Berth)
	to.ObjectMeta = b.ObjectMeta
	to.Spec = BerthSpec{strings.TrimPrefix(b.Spec.Address, addressPrefix), b.Spec.Owner}
	return nil
}

func (b *BerthV2) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*Berth)
	b.ObjectMeta = from.ObjectMeta
	b.Spec = BerthV2Spec{addressPrefix + from.Spec.Host, from.Spec.Owner}
	return nil
}

type BerthV2List struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []BerthV2 `json:"items"`
}

func (l *BerthV2List) DeepCopyObject() runtime.Object {
	items := make([]BerthV2, len(l.Items))
	for i := range l.Items {
		items[i] = *l.Items[i].DeepCopyObject().(*BerthV2)
	}
	return &BerthV2List{l.TypeMeta, l.ListMeta, items}
}

func addBerths(scheme *runtime.Scheme) {
	scheme.AddKnownTypeWithName(v1Berths.WithKind("Berth"), &Berth{})
	scheme.AddKnownTypeWithName(v2Berths.WithKind("Berth"), &BerthV2{})
	scheme.AddKnownTypeWithName(v2Berths.WithKind("BerthList"), &BerthV2List{})
	metav1.AddToGroupVersion(scheme, v1Berths)
	metav1.AddToGroupVersion(scheme, v2Berths)
}

func berthDefinition() *apiextensionsv1.CustomResourceDefinition {
	text := apiextensionsv1.JSONSchemaProps{Type: "string"}
	version := func(name string, stored bool, field string) apiextensionsv1.CustomResourceDefinitionVersion {
		spec := apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{field: text, "owner": text}}
		whole := &apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"spec": spec}}
		validation := &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: whole}
		return apiextensionsv1.CustomResourceDefinitionVersion{Name: name, Served: true, Storage: stored, Schema: validation}
	}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "berths." + berthGroup},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group:    berthGroup,
			Scope:    apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Plural: "berths", Singular: "berth", Kind: "Berth", ListKind: "BerthList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{version("v1", true, "host"), version("v2", false, "address")},
		},
	}
}
