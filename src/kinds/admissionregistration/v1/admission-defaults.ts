// What the server fills in when admission webhooks and policies leave it open. Structural types: all versions share these.

interface Selecting {
  matchPolicy?: string | undefined;
  namespaceSelector?: object | undefined;
  objectSelector?: object | undefined;
}

export function defaultMatchResources(match: Selecting): void {
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
}

interface Failing {
  failurePolicy?: string | undefined;
}

export function defaultPolicySpec(spec: Failing): void {
  spec.failurePolicy ??= 'Fail';
}

export function defaultValidatingWebhook(webhook: Selecting & Failing & { timeoutSeconds?: number | undefined }): void {
  defaultPolicySpec(webhook);
  defaultMatchResources(webhook);
  webhook.timeoutSeconds ??= 10;
}

export function defaultMutatingWebhook(webhook: Parameters<typeof defaultValidatingWebhook>[0] & { reinvocationPolicy?: string | undefined }): void {
  defaultValidatingWebhook(webhook);
  webhook.reinvocationPolicy ??= 'Never';
}

export function defaultRule(rule: { scope?: string | undefined }): void {
  rule.scope ??= '*';
}

export function defaultServiceReference(service: { port?: number | undefined }): void {
  service.port ??= 443;
}

/** In v1alpha1 only; later versions want it said. */
export function defaultParamRef(ref: { parameterNotFoundAction?: string | undefined }): void {
  ref.parameterNotFoundAction ??= 'Deny';
}
