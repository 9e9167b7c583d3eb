// Names that belong to objects of static manifests: with the gate ManifestBasedAdmissionControlConfig the API refuses them, without it the API warns.
import type { FieldErrors } from '#api/field-error.ts';
import type { KubernetesObject } from '#api/object.ts';
import { staticSuffix } from '#api/static-suffix.ts';
import { goQuote } from '#base/go-text.ts';
import type { Strategy, StrategyContext } from '#resource/strategy.ts';

const gate = 'ManifestBasedAdmissionControlConfig';
const why = `names ending with ${goQuote(staticSuffix)} are reserved for static manifest-based configurations and cannot be managed via the API`;

type Named = Pick<KubernetesObject, 'metadata'>;

function isReserved({ metadata }: Named): boolean {
  return metadata.name?.endsWith(staticSuffix) === true;
}

/** Objects that have such a name already may still be changed. */
export function withReservedNames<T extends Named>(strategy: Strategy<T>): Strategy<T> {
  const warnings = (object: T) => (isReserved(object) ? [`metadata.name: ${why}`] : []);
  return {
    ...strategy,
    validate(object: T, errors: FieldErrors, context: StrategyContext) {
      const validating = strategy.validate?.(object, errors, context);
      if (context.gate(gate) && isReserved(object)) errors.invalid('metadata.name', object.metadata.name, why);
      return validating;
    },
    warnOnCreate: (object, context) => [...(strategy.warnOnCreate?.(object, context) ?? []), ...(context.gate(gate) ? [] : warnings(object))],
    warnOnUpdate: (object, old, context) => [...(strategy.warnOnUpdate?.(object, old, context) ?? []), ...warnings(object)],
  };
}
