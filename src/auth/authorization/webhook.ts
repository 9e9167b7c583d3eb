// Another server decides (`--authorization-webhook-config-file`, or a webhook of an AuthorizationConfiguration).
import { createHash } from 'node:crypto';
import { parseFieldSelector } from '#api/field-selector.ts';
import { parseLabelSelector } from '#api/label-selector.ts';
import type { User } from '#api/user.ts';
import type { Clock } from '#base/clock.ts';
import type { AccessAttributes, Authorizer, Verdict } from '#auth/authorizer.ts';
import { ExpiringMap } from '#auth/expiring-map.ts';
import type { MatchesReview } from '#auth/authorization/match-conditions.ts';
import type { ReviewCall } from '#auth/remote-review.ts';

export interface WebhookAuthorizerParts {
  readonly call: ReviewCall;
  readonly version: 'v1' | 'v1beta1';
  readonly clock: Clock;
  readonly allowedMs: number;
  readonly refusedMs: number;
  /** What a webhook that cannot be asked amounts to. */
  readonly onFailure: 'deny' | 'no-opinion';
  /** Which requests it is asked about; every one without it. */
  readonly matches?: MatchesReview | undefined;
}

export function webhookAuthorizer({ call, version, clock, allowedMs, refusedMs, onFailure, matches }: WebhookAuthorizerParts): Authorizer {
  const verdicts = new ExpiringMap<Verdict>(clock);
  return async (user, access) => {
    const isAsked = matches === undefined ? true : matches(specOf(user, access, 'v1'));
    if (isAsked !== true) return { decision: isAsked === undefined ? onFailure : 'no-opinion', reason: '' };
    const spec = specOf(user, access, version);
    const key = isRemembered(access) ? digestOf(spec) : undefined;
    const known = key === undefined ? undefined : verdicts.get(key);
    if (known !== undefined) return known;
    try {
      const { status = {} } = await call({ apiVersion: `authorization.k8s.io/${version}`, kind: 'SubjectAccessReview', spec });
      const verdict = verdictOf(status);
      if (key !== undefined) verdicts.set(key, verdict, verdict.decision === 'allow' ? allowedMs : refusedMs);
      return verdict;
    } catch {
      return { decision: onFailure, reason: '' };
    }
  };
}

/** As upstream: what a client says about its request is not remembered when it is longer than this. */
const longestAttributes = 10_000;

function isRemembered({ namespace, verb, group, version, resource, subresource, name, path, fieldSelector, labelSelector }: AccessAttributes): boolean {
  const parts = [namespace, verb, group, version, resource, subresource, name, path, fieldSelector, labelSelector];
  return parts.reduce((sum, part) => sum + part.length, 0) < longestAttributes;
}

/** Users may have thousands of groups: the question itself is not kept. */
function digestOf(spec: object): string {
  return createHash('sha256').update(JSON.stringify(spec)).digest('base64');
}

function verdictOf({ allowed, denied, reason }: Readonly<Record<string, unknown>>): Verdict {
  if (allowed === true && denied === true) throw new Error('webhook subject access review returned both allow and deny response');
  const decision = allowed === true ? 'allow' : denied === true ? 'deny' : 'no-opinion';
  return { decision, reason: typeof reason === 'string' ? reason : '' };
}

/** v1beta1 calls groups `group`. */
function specOf({ name, uid, groups, extra }: User, access: AccessAttributes, version: 'v1' | 'v1beta1'): object {
  const who = { user: name, ...(groups.length > 0 && { [version === 'v1' ? 'groups' : 'group']: groups }), ...(uid && { uid }), ...(extra && { extra }) };
  return access.isResource
    ? { resourceAttributes: resourceAttributes(access), ...who }
    : { nonResourceAttributes: { path: access.path, verb: access.verb }, ...who };
}

function resourceAttributes({ namespace, verb, group, version, resource, subresource, name, fieldSelector, labelSelector }: AccessAttributes): object {
  const set = Object.fromEntries(Object.entries({ namespace, verb, group, version, resource, subresource, name }).filter(([, value]) => value !== ''));
  const fields = requirementsOf(() =>
    parseFieldSelector(fieldSelector).requirements.map(({ field, operator, value }) => ({
      key: field,
      operator: operator === '=' ? 'In' : 'NotIn',
      values: [value],
    })),
  );
  const labels = requirementsOf(() =>
    parseLabelSelector(labelSelector).requirements.map(({ key, operator, values }) => labelRequirement(key, operator, values)),
  );
  return { ...set, ...(fields && { fieldSelector: { requirements: fields } }), ...(labels && { labelSelector: { requirements: labels } }) };
}

const labelOperators: Readonly<Record<string, string>> = { '=': 'In', in: 'In', '!=': 'NotIn', notin: 'NotIn', exists: 'Exists', '!': 'DoesNotExist' };

/** A comparison has no such form; leaving requirements out asks for more, never for less. */
function labelRequirement(key: string, operator: string, values: readonly string[]): object {
  const known = labelOperators[operator];
  if (known === undefined) throw new Error(`${operator} cannot be asked for`);
  return { key, operator: known, ...(values.length > 0 && { values }) };
}

function requirementsOf(read: () => readonly object[]): readonly object[] | undefined {
  try {
    const requirements = read();
    return requirements.length > 0 ? requirements : undefined;
  } catch {
    return undefined;
  }
}
