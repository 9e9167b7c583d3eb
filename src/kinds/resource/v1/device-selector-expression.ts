// The expressions that select devices: what they may name, and whether they compile and cost little enough.
import { lazily } from '#base/lazily.ts';
import { estimateCost } from '#cel/cost/estimate-cost.ts';
import { type DeclaredSize, sizesOf } from '#cel/cost/declared-sizes.ts';
import { kubernetesCallEstimate } from '#cel/cost/kubernetes-call-estimate.ts';
import { kubernetesEnvironment } from '#cel/kubernetes-environment.ts';
import { quantityType } from '#cel/library/quantity.ts';
import { bindings } from '#cel/macro/bindings.ts';
import { objectTypes } from '#cel/object-types.ts';
import { anyType, boolType, mapType, objectType, sameType, stringType, type Type, typeToString } from '#cel/type.ts';

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
