// What webhooks and policies of static manifests may not say: they count before there is an API that could resolve a service or find parameters.
import type { KubernetesObject } from '#api/object.ts';
import { goQuote } from '#base/go-text.ts';
import { staticSuffix } from '#api/static-suffix.ts';

interface Spec {
  readonly paramKind?: object;
  readonly paramRef?: object;
  readonly policyName?: string;
}

interface Client {
  readonly name: string;
  readonly clientConfig?: { readonly service?: object; readonly url?: string };
}

/** In the words of the original; undefined when there is none. */
export function manifestProblem(object: KubernetesObject, file: string): string | undefined {
  const { name = '' } = object.metadata;
  const { webhooks = [], spec = {} } = object as { readonly webhooks?: readonly Client[]; readonly spec?: Spec };
  if (object.kind?.endsWith('Binding')) return bindingProblem(name, spec);
  if (spec.paramKind !== undefined) return `${object.kind} ${goQuote(name)}: spec.paramKind is not supported for static manifests`;
  return webhooks.map((webhook) => clientProblem(webhook, name, file)).find((problem) => problem !== undefined);
}

function bindingProblem(name: string, { policyName = '', paramRef }: Spec): string | undefined {
  const binding = `binding ${goQuote(name)}`;
  if (policyName === '') return `${binding} must reference a policy (spec.policyName)`;
  if (!policyName.endsWith(staticSuffix)) return `${binding}: spec.policyName ${goQuote(policyName)} must end with ${goQuote(staticSuffix)}`;
  return paramRef === undefined ? undefined : `${binding}: spec.paramRef is not supported for static manifests`;
}

function clientProblem({ name, clientConfig }: Client, configuration: string, file: string): string | undefined {
  const webhook = `webhook ${goQuote(name)} in ${goQuote(configuration)} (file ${goQuote(file)})`;
  if (clientConfig?.service) return `${webhook}: clientConfig.service is not supported for static manifests; use clientConfig.url instead`;
  return clientConfig?.url ? undefined : `${webhook}: clientConfig.url is required for static manifests`;
}
