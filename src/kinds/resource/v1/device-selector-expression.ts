// The expressions that select devices: what they may name, and whether they compile and cost little enough.
import { lazily } from '#base/lazily.ts';
import { parseQuantity } from '#base/quantity.ts';
import { sharedMemo } from '#base/shared-memos.ts';
import { TextMemo } from '#base/text-memo.ts';
import { estimateCost } from '#cel/cost/estimate-cost.ts';
import { type DeclaredSize, sizesOf } from '#cel/cost/declared-sizes.ts';
import { kubernetesCallEstimate } from '#cel/cost/kubernetes-call-estimate.ts';
import { kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import type { Program } from '#cel/evaluate/program.ts';
import { MapValue } from '#cel/json-value.ts';
import { quantityType, QuantityValue } from '#cel/library/quantity.ts';
import { toSemver } from '#cel/library/semver.ts';
import { bindings } from '#cel/macro/bindings.ts';
import { objectTypes } from '#cel/object-types.ts';
import { anyType, boolType, mapType, objectType, sameType, stringType, type Type, typeToString } from '#cel/type.ts';
import type { CelMap, CelValue } from '#cel/value.ts';
import type { Device, DeviceAttribute, DeviceCapacity } from '#kinds/resource/v1/resource-slice.ts';

const deviceType = 'kubernetes.DRADevice';
const maxCost = 1_000_000;
const perDevice = 32;

const fields: Readonly<Record<string, Type>> = {
  driver: stringType,
  attributes: mapType(stringType, mapType(stringType, anyType)),
  capacity: mapType(stringType, mapType(stringType, quantityType)),
  allowMultipleAllocations: boolType,
};

/** Names of domains and attributes, and their values, are short; a device has few of them. */
const [domain, id, value] = [{ maxElements: 63 }, { maxElements: 32 }, { maxElements: 64 }] as const;
const none: DeclaredSize = { maxElements: 0 };

function ofDomains(entry: DeclaredSize): DeclaredSize {
  return { maxElements: perDevice, key: domain, element: { maxElements: perDevice, key: id, element: entry } };
}

const deviceSize: DeclaredSize = {
  maxElements: 0,
  fields: new Map([
    ['driver', { maxElements: 63 }],
    ['attributes', ofDomains(value)],
    ['capacity', ofDomains(none)],
    ['allowMultipleAllocations', { maxElements: 1 }],
  ]),
};

/** Both ages of expressions know the same here. */
const selectorEnvironment = lazily(() =>
  kubernetesEnvironment('new', { libraries: [bindings] }).extend({
    variables: new Map([['device', objectType(deviceType)]]),
    types: objectTypes({ [deviceType]: fields }),
  }),
);

export type SelectorProblem = { readonly is: 'invalid' | 'forbidden'; readonly text: string };

export function selectorProblem(expression: string): SelectorProblem | undefined {
  const compiled = selectorEnvironment().compile(expression);
  if (compiled.program === undefined) return { is: 'invalid', text: `compilation failed: ${compiled.text}` };
  const { outputType, ast } = compiled.program;
  if (!sameType(outputType, boolType) && !sameType(outputType, anyType)) {
    return { is: 'invalid', text: `must evaluate to bool or the unknown type, not ${typeToString(outputType)}` };
  }
  const cost = estimateCost(ast, { size: sizesOf(deviceSize), call: kubernetesCallEstimate }).max;
  return cost > maxCost ? { is: 'forbidden', text: 'too complex, exceeds cost limit' } : undefined;
}

/** Programs by their expression: a scheduler asks the same ones for every device. */
const programs = sharedMemo(new TextMemo<Program>(32 << 10));

/** Throws what is wrong with the expression, or what went wrong when it looked at the device. */
export function selectsDevice(expression: string, driver: string, device: Device): boolean {
  const program = programs.get(expression) ?? programs.add(expression, compiled);
  const outcome = program.evaluate({ get: (name) => (name === 'device' ? deviceValue(driver, device) : undefined) }, { costLimit: maxCost });
  if (outcome.status === 'error') throw new Error(`CEL runtime error: ${outcome.message}`);
  return outcome.value === true;
}

function compiled(expression: string): Program {
  const compilation = selectorEnvironment().compile(expression);
  if (compilation.program === undefined) throw new Error(`CEL compile error: ${compilation.text}`);
  return compilation.program;
}

function deviceValue(driver: string, { attributes = {}, capacity = {}, allowMultipleAllocations = false }: Device): CelValue {
  const byDomain = { attributes: domainsOf(driver, attributes, attributeValue), capacity: domainsOf(driver, capacity, capacityValue) };
  return new MapValue({ driver, allowMultipleAllocations, ...byDomain }, (value) => value as CelValue);
}

/** Names without a domain are in that of the driver; a domain that the device has nothing of is empty, not missing. */
function domainsOf<T>(driver: string, named: Readonly<Record<string, T>>, convert: (value: T) => CelValue): CelMap {
  const domains = new Map<string, Record<string, unknown>>();
  for (const [name, value] of Object.entries(named)) {
    const cut = name.indexOf('/');
    const [domain, id] = cut < 0 ? [driver, name] : [name.slice(0, cut), name.slice(cut + 1)];
    domains.set(domain, { ...domains.get(domain), [id]: value });
  }
  const map = (entries: Record<string, unknown>) => new MapValue(entries, (value) => convert(value as T));
  return {
    kind: 'map',
    size: () => domains.size,
    get: (key) => map(domains.get(String(key)) ?? {}),
    has: () => true,
    keys: () => domains.keys(),
  };
}

function attributeValue({ int, bool, string, version }: DeviceAttribute): CelValue {
  if (version !== undefined) return toSemver(version, false);
  return string ?? bool ?? (int === undefined ? null : BigInt(int));
}

function capacityValue({ value: amount }: DeviceCapacity): CelValue {
  return new QuantityValue(parseQuantity(amount ?? '0'));
}
