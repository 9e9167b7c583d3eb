import { randomUUID } from 'node:crypto';
import { asJson, type FieldErrors } from '#api/field-error.ts';
import { nameIsSubdomain } from '#base/formats.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';
import { milliValue, parseQuantity } from '#base/quantity.ts';
import type { LimitRange, LimitRangeItem } from '#kinds/core/v1/limit-range.ts';
import { validateObjectMeta } from '#kinds/rules/object-meta.ts';
import { compareQuantities } from '#kinds/rules/quantities.ts';
import { roundResourceLists } from '#kinds/rules/resource-lists.ts';
import { isOvercommitAllowed, validateContainerResourceName, validateResourceName } from '#kinds/rules/resource-names.ts';
import type { Strategy } from '#resource/strategy.ts';
import { joined } from '#schema/clone.ts';

/** Containers without limits get the largest allowed, and ask for what they are limited to. */
export function defaultLimitRangeItem(item: LimitRangeItem): void {
  roundResourceLists(item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio);
  if (item.type === 'Container') {
    const limits = joined(item.max, item.default);
    const requests = joined(item.min, limits, item.defaultRequest);
    if (Object.keys(limits).length > 0) item.default = limits;
    if (Object.keys(requests).length > 0) item.defaultRequest = requests;
  }
}

export const limitRangeStrategy: Strategy<LimitRange> = {
  allowCreateOnUpdate: true,
  prepareForCreate({ metadata }) {
    if (!metadata.name) metadata.name = randomUUID();
  },
  validate: validateLimitRange,
  validateUpdate: (range, _old, errors) => validateLimitRange(range, errors),
};

function validateLimitRange({ metadata, spec }: LimitRange, errors: FieldErrors): void {
  validateObjectMeta(metadata, true, nameIsSubdomain, errors);
  const types = new Set<string>();
  spec.limits?.forEach((item, index) => {
    const at = `spec.limits[${index}]`;
    validateType(item.type, `${at}.type`, errors);
    if (types.has(item.type)) errors.duplicate(`${at}.type`, asJson(item.type));
    types.add(item.type);
    validateItem(item, at, errors);
  });
}

function validateType(type: string, path: string, errors: FieldErrors): void {
  const problems = labelKeyProblems(type);
  errors.invalidEach(path, asJson(type), problems);
  if (problems.length === 0 && !type.includes('/') && !['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)) {
    errors.invalid(path, asJson(type), 'must be a standard limit type or fully qualified');
  }
}

const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;

function validateItem(item: LimitRangeItem, path: string, errors: FieldErrors): void {
  const nameRule = item.type === 'Pod' || item.type === 'Container' ? validateContainerResourceName : validateResourceName;
  const ofPod = item.type === 'Pod';
  for (const list of lists) {
    const isDefault = list === 'default' || list === 'defaultRequest';
    if (ofPod && isDefault) {
      if (Object.keys(item[list] ?? {}).length > 0) errors.forbidden(`${path}.${list}`, "may not be specified when `type` is 'Pod'");
    } else errors.each(Object.keys(item[list] ?? {}), (name, _, found) => nameRule(name, `${path}.${list}[${name}]`, found));
  }
  if (item.type === 'PersistentVolumeClaim' && item.min?.['storage'] === undefined && item.max?.['storage'] === undefined) {
    errors.required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided');
  }
  const considered = ofPod ? { ...item, default: undefined, defaultRequest: undefined } : item;
  const names = new Set(lists.flatMap((list) => Object.keys(considered[list] ?? {})));
  errors.each([...names], (name, _, found) => validateAmounts(considered, name, path, found));
}

function validateAmounts(item: LimitRangeItem, name: string, path: string, errors: FieldErrors): void {
  const [max, min, limit, request] = [item.max?.[name], item.min?.[name], item.default?.[name], item.defaultRequest?.[name]];
  const at = (list: string) => `${path}.${list}[${name}]`;
  if (exceeds(min, max)) errors.invalid(at('min'), min, `min value ${min} is greater than max value ${max}`);
  if (exceeds(min, request)) errors.invalid(at('defaultRequest'), request, `min value ${min} is greater than default request value ${request}`);
  if (exceeds(request, max)) errors.invalid(at('defaultRequest'), request, `default request value ${request} is greater than max value ${max}`);
  if (exceeds(request, limit)) {
    errors.invalid(at('defaultRequest'), request, `default request value ${request} is greater than default limit value ${limit}`);
  }
  // Upstream shows the bound here, not the value that breaks it.
  if (exceeds(min, limit)) errors.invalid(at('default'), min, `min value ${min} is greater than default value ${limit}`);
  if (exceeds(limit, max)) errors.invalid(at('default'), max, `default value ${limit} is greater than max value ${max}`);
  validateRatio(item, name, at('maxLimitRequestRatio'), errors);
  if (!isOvercommitAllowed(name) && limit !== undefined && request !== undefined && compareQuantities(limit, request) !== 0) {
    errors.invalid(at('defaultRequest'), request, `default value ${limit} must equal to defaultRequest value ${request} in ${name}`);
  }
}

function exceeds(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && compareQuantities(a, b) > 0;
}

function validateRatio({ maxLimitRequestRatio, min, max }: LimitRangeItem, name: string, path: string, errors: FieldErrors): void {
  const ratio = maxLimitRequestRatio?.[name];
  if (ratio === undefined) return;
  if (compareQuantities(ratio, '1') < 0) errors.invalid(path, ratio, `ratio ${ratio} is less than 1`);
  const [low, high] = [min?.[name], max?.[name]];
  if (low === undefined || high === undefined) return;
  const limit = thousandths(high) / thousandths(low);
  if (thousandths(ratio) / 1000 > limit) errors.invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${limit.toFixed(6)}`);
}

function thousandths(quantity: string): number {
  return Number(milliValue(parseQuantity(quantity)));
}
