// How certificate signing requests are written and shown: the requester is who asks, approval and issuing have their own endpoints.
import { humanDuration } from '#kinds/rules/age.ts';
import type { CertificateSigningRequest } from '#kinds/certificates/v1/certificate-signing-request.ts';
import { validateSigningRequest, validateSigningRequestUpdate } from '#kinds/certificates/v1/certificate-signing-request-validation.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { timestamp } from '#kinds/rules/timestamps.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';
import { clone } from '#schema/clone.ts';
import { firstBy } from '#kinds/rules/first-by.ts';

export const signingRequestStrategy: Strategy<CertificateSigningRequest> = {
  selectableMetadata: ['metadata.name'],
  selectableFields: { 'spec.signerName': ({ spec }) => spec.signerName },
  resetFields: [['spec'], ['status']],

  prepareForCreate(request, { user }) {
    const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec;
    request.spec = {
      ...spec,
      ...(user.name !== '' && { username: user.name }),
      ...(user.uid && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: [...user.groups] }),
      ...(user.extra && Object.keys(user.extra).length > 0 && { extra: clone(user.extra) as Record<string, string[]> }),
    };
    request.status = {};
  },
  validate: (request, errors) => validateSigningRequest(request, errors),

  prepareForUpdate(request, old) {
    request.spec = old.spec;
    request.status = old.status;
  },
  validateUpdate: (request, old, errors) => validateSigningRequestUpdate(request, old, errors, {}),

  subresources: {
    status: {
      resetFields: [['spec'], ['status', 'conditions']],
      prepareForUpdate(request, old, { now }) {
        request.spec = old.spec;
        for (const type of ['Approved', 'Denied']) keepConditions(request, old, type);
        fillTimes(request, old, timestamp(now));
      },
      validateUpdate: (request, old, errors) => validateSigningRequestUpdate(request, old, errors, { issues: true }),
    },
    approval: {
      resetFields: [['spec'], ['status', 'certificate']],
      prepareForUpdate(request, old, { now }) {
        fillTimes(request, old, timestamp(now));
        const { conditions } = request.status;
        request.spec = old.spec;
        request.status = { ...old.status, conditions };
      },
      validateUpdate: (request, old, errors) => validateSigningRequestUpdate(request, old, errors, { approves: true }),
    },
  },
};

/** A verdict stays as it is unless one was added or removed, which validation refuses. */
function keepConditions({ status }: CertificateSigningRequest, old: CertificateSigningRequest, type: string): void {
  const conditions = status.conditions ?? [];
  const stored = (old.status.conditions ?? []).filter((condition) => condition.type === type);
  if (conditions.filter((condition) => condition.type === type).length !== stored.length) return;
  let next = 0;
  for (const [index, condition] of conditions.entries()) {
    const kept = condition.type === type ? stored[next++] : undefined;
    if (kept !== undefined) conditions[index] = kept;
  }
}

function fillTimes({ status }: CertificateSigningRequest, old: CertificateSigningRequest, now: string): void {
  const timed = old.status.conditions?.filter(({ lastTransitionTime }) => Boolean(lastTransitionTime));
  const known = firstBy(timed, ({ type, status: value }) => `${type} ${value}`);
  for (const condition of status.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    const same = known.get(`${condition.type} ${condition.status}`);
    condition.lastTransitionTime ??= same?.lastTransitionTime ?? now;
  }
}

export const signingRequestColumns: readonly Column<CertificateSigningRequest>[] = [
  nameColumn(),
  ageColumn(),
  { name: 'SignerName', type: 'string', read: ({ spec }) => spec.signerName || '<none>' },
  { name: 'Requestor', type: 'string', read: ({ spec }) => spec.username ?? '' },
  {
    name: 'RequestedDuration',
    type: 'string',
    read: ({ spec }) => (spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds)),
  },
  { name: 'Condition', type: 'string', read: ({ status }) => conditionCell(status) },
];

function conditionCell({ conditions, certificate }: CertificateSigningRequest['status']): string {
  const types = (conditions ?? []).map(({ type }) => type);
  const verdict = ['Denied', 'Approved'].find((type) => types.includes(type)) ?? 'Pending';
  return [verdict, ...(types.includes('Failed') ? ['Failed'] : []), ...(certificate ? ['Issued'] : [])].join(',');
}
