// Between the versions of a custom kind: by strategy None, where they differ in nothing but their name, or by a webhook.
import { internalError } from '#api/api-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';

/** The objects, which may be of several versions and stay as they are, in the version of `apiVersion`, in their order. */
export type Converter = (objects: readonly KubernetesObject[], apiVersion: string) => MaybePromise<readonly KubernetesObject[]>;

/** The converter of a definition whose conversion strategy is Webhook. */
export type WebhookConverterOf = (definition: CustomResourceDefinition) => Converter;

export function converterOf(definition: CustomResourceDefinition, webhookConverterOf: WebhookConverterOf | undefined): Converter {
  if (definition.spec.conversion?.strategy !== 'Webhook') return renamed;
  return webhookConverterOf?.(definition) ?? unable(definition);
}

const renamed: Converter = (objects, apiVersion) => objects.map((object) => ({ ...object, apiVersion }));

/** Nothing is shown in a version into which it was not converted. */
function unable({ spec: { names } }: CustomResourceDefinition): Converter {
  return ([first, ...others], apiVersion) => {
    if ([first, ...others].every((object) => object === undefined || object.apiVersion === apiVersion)) return first === undefined ? [] : [first, ...others];
    throw internalError(`conversion webhook for ${String(first?.apiVersion)}, Kind=${names.kind} failed: conversion webhooks are not called`);
  };
}
