// May they? Asked of the API server with a SubjectAccessReview; its answers are remembered for a few seconds.
import type { User } from './authenticate.ts';
import type { KubeClient } from './kube-client.ts';

export interface Access {
  readonly verb: string;
  readonly path: string;
  /** Undefined for paths that are no resources. */
  readonly resource?: { readonly group: string; readonly version: string; readonly resource: string; readonly namespace?: string; readonly name?: string };
}

export type Authorize = (user: User, access: Access) => Promise<boolean>;

const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const rememberMs = { yes: 10_000, no: 10_000 };
const mostRemembered = 4096;
/** Health tells nothing that is worth a question. */
const open = new Set(['/healthz', '/livez', '/readyz']);

export function delegatedAuthorizer(client: KubeClient): Authorize {
  const remembered = new Map<string, { readonly allowed: boolean; readonly until: number }>();
  return async ({ name, uid, groups, extra }, { verb, path, resource }) => {
    if (open.has(path) || groups.includes('system:masters')) return true;
    const asked = resource ? { resourceAttributes: { ...resource, verb } } : { nonResourceAttributes: { path, verb } };
    const spec = { user: name, uid, groups, extra, ...asked };
    const key = JSON.stringify(spec);
    const known = remembered.get(key);
    if (known !== undefined && known.until > Date.now()) return known.allowed;
    const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
    const { code, body } = await client.ask<{ readonly status?: { readonly allowed?: boolean } }>('POST', reviews, review);
    if (code !== 201) throw new Error(`${reviews} was answered with ${code}`);
    const allowed = body.status?.allowed === true;
    if (remembered.size >= mostRemembered) remembered.clear();
    remembered.set(key, { allowed, until: Date.now() + (allowed ? rememberMs.yes : rememberMs.no) });
    return allowed;
  };
}
