import { asJson, type FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import type { ResourceQuota, ResourceQuotaSpec, ResourceQuotaStatus, ScopedResourceSelectorRequirement } from '#kinds/core/v1/resource-quota.ts';
import { ageColumn, nameColumn } from '#kinds/rules/cells.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { roundResourceLists } from '#kinds/rules/resource-lists.ts';
import { isStandardQuotaResource, validateResourceName, validateResourceQuantity } from '#kinds/rules/resource-names.ts';
import { statusStrategy } from '#kinds/rules/status-updates.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';
import { lazily } from '#base/lazily.ts';
import { wasGivenEmpty } from '#schema/given-empty.ts';

export function defaultResourceQuota({ spec, status }: ResourceQuota): void {
  roundResourceLists(spec.hard, status.hard, status.used);
}

export const resourceQuotaStrategy: Strategy<ResourceQuota> = {
  returnsDeleted: true,
  prepareForCreate(quota) {
    quota.status = {};
  },
  validate({ metadata, spec, status }, errors) {
    validateObjectMeta(metadata, true, nameIsSubdomain, errors);
    validateSpec(spec, errors);
    validateStatus(status, errors);
  },
  prepareForUpdate(quota, old) {
    quota.status = old.status;
  },
  validateUpdate({ metadata, spec }, old, errors) {
    validateObjectMetaUpdate(metadata, old.metadata, errors);
    validateSpec(spec, errors);
    const [scopes, before] = [new Set(spec.scopes), new Set(old.spec.scopes)];
    const same = scopes.size === before.size && [...scopes].every((scope) => before.has(scope));
    if (!same) errors.invalid('spec.scopes', spec.scopes ?? (wasGivenEmpty(spec, 'scopes') ? [] : null), 'field is immutable');
  },
  subresources: {
    status: statusStrategy<ResourceQuota>({
      validateUpdate({ metadata, status }, old, errors) {
        validateObjectMetaUpdate(metadata, old.metadata, errors);
        validateStatus(status, errors);
      },
    }),
  },
};

type ResourceList = Readonly<Record<string, string>>;

function validateAmounts(amounts: ResourceList | undefined, path: string, errors: FieldErrors): void {
  for (const name in amounts) {
    const at = `${path}[${name}]`;
    validateResourceName(name, at, errors);
    if (!name.includes('/') && !isStandardQuotaResource(name)) errors.invalid(at, asJson(name), 'must be a standard resource for quota');
    validateResourceQuantity(name, amounts[name] ?? '0', at, errors);
  }
}

function validateStatus({ hard, used }: ResourceQuotaStatus, errors: FieldErrors): void {
  validateAmounts(hard, 'status.hard', errors);
  validateAmounts(used, 'status.used', errors);
}

function validateSpec(spec: ResourceQuotaSpec, errors: FieldErrors): void {
  validateAmounts(spec.hard, 'spec.hard', errors);
  validateScopes(spec, 'spec.scopes', errors);
  validateScopeSelector(spec, 'spec.scopeSelector.matchExpressions', errors);
}

const podAmounts = ['pods', 'cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory'];
const usableWith: Readonly<Record<string, readonly string[]>> = {
  Terminating: podAmounts,
  NotTerminating: podAmounts,
  NotBestEffort: podAmounts,
  PriorityClass: podAmounts,
  CrossNamespacePodAffinity: podAmounts,
  BestEffort: ['pods'],
  VolumeAttributesClass: ['persistentvolumeclaims', 'requests.storage'],
};

/** How many of the limited resources a scope says nothing about; scopes that nobody knows fit everything. Found out once for each scope. */
function misfitsIn(hard: ResourceList | undefined): (scope: string) => number {
  const counts = new Map<readonly string[] | undefined, number>([[undefined, 0]]);
  return (scope) => {
    const usable = usableWith[scope];
    let count = counts.get(usable);
    if (count === undefined) {
      count = Object.keys(hard ?? {}).filter((name) => isStandardQuotaResource(name) && usable?.includes(name) === false).length;
      counts.set(usable, count);
    }
    return count;
  };
}

function conflicts(scopes: readonly string[]): number {
  const pairs = [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ];
  return pairs.filter((pair) => pair.every((scope) => scopes.includes(scope))).length;
}

function validateScopes({ scopes = [], hard }: ResourceQuotaSpec, path: string, errors: FieldErrors): void {
  const misfits = misfitsIn(hard);
  for (const scope of scopes) {
    if (usableWith[scope] === undefined) errors.invalid(path, scopes, 'unsupported scope');
    for (let count = misfits(scope); count > 0; count--) errors.invalid(path, scopes, 'unsupported scope applied to resource');
  }
  for (let count = conflicts(scopes); count > 0; count--) errors.invalid(path, scopes, 'conflicting scopes');
}

function validateScopeSelector({ scopeSelector, scopes, hard }: ResourceQuotaSpec, path: string, errors: FieldErrors): void {
  const { matchExpressions = [] } = scopeSelector ?? {};
  const misfits = misfitsIn(hard);
  const shown = lazily(() => ({ MatchExpressions: matchExpressions.map(shownExpression) }));
  for (const expression of matchExpressions) {
    const { scopeName } = expression;
    if (usableWith[scopeName] === undefined) errors.invalid(`${path}.scopeName`, asJson(scopeName), 'unsupported scope');
    for (let count = misfits(scopeName); count > 0; count--) errors.invalid(path, shown(), 'unsupported scope applied to resource');
    validateOperator(expression, path, errors);
  }
  for (let count = conflicts(matchExpressions.map(({ scopeName }) => scopeName)); count > 0; count--) {
    errors.invalid(path, scopes, 'conflicting scopes');
  }
}

function shownExpression(expression: ScopedResourceSelectorRequirement): object {
  const { scopeName, operator, values } = expression;
  return { ScopeName: scopeName, Operator: operator, Values: values ?? (wasGivenEmpty(expression, 'values') ? [] : null) };
}

const plainScopes = ['BestEffort', 'NotBestEffort', 'Terminating', 'NotTerminating', 'CrossNamespacePodAffinity'];

function validateOperator({ scopeName, operator, values = [] }: ScopedResourceSelectorRequirement, path: string, errors: FieldErrors): void {
  if (plainScopes.includes(scopeName) && operator !== 'Exists') {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.invalid(`${path}.operator`, asJson(operator), detail);
  }
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) errors.required(`${path}.values`, "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) errors.invalid(`${path}.values`, values, "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
      break;
    default:
      errors.invalid(`${path}.operator`, asJson(operator), 'not a valid selector operator');
  }
}

function usageCell({ status }: ResourceQuota, ofLimits: boolean): string {
  const names = Object.keys(status.hard ?? {}).toSorted();
  const shown = names.filter((name) => name.startsWith('limits.') === ofLimits);
  return shown.map((name) => `${name}: ${status.used?.[name] ?? '0'}/${status.hard?.[name]}`).join(', ');
}

export const resourceQuotaColumns: readonly Column<ResourceQuota>[] = [
  nameColumn(),
  { name: 'Request', type: 'string', read: (quota) => usageCell(quota, false) },
  { name: 'Limit', type: 'string', read: (quota) => usageCell(quota, true) },
  ageColumn(),
];
