// What the rules of a pod cost beside bare JSON.parse and JSON.stringify of it. Creating a valid pod of 2.5 KB (decode, default,
// prepare, validate, warn, encode) may take four times as long. Run: npx tsx test/bench/pod-rules.ts
import { FieldErrors } from '#api/field-error.ts';
import { featureGates } from '#base/feature-gates.ts';
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { podStrategy } from '#kinds/core/v1/pod/pod-strategy.ts';
import { validateCommonMetadata } from '#resource/metadata-rules.ts';
import type { StrategyContext } from '#resource/strategy.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { samplePod } from '../support/sample-pod.ts';

const bytes = Buffer.from(JSON.stringify(samplePod('web-7d4b9c6f5-x2x8q')));
const context = { gate: featureGates(), now: new Date() } as unknown as StrategyContext;

function decoded(): Pod {
  const object = decodeJson(Pod, bytes).object;
  applyDefaults(pods, object);
  return object as unknown as Pod;
}

const pod = decoded();
podStrategy.prepareForCreate?.(pod, context);

function validate(): FieldErrors {
  const errors = new FieldErrors();
  podStrategy.validate?.(pod, errors, context);
  validateCommonMetadata(pod.metadata, true, errors);
  return errors;
}

const work: Readonly<Record<string, () => unknown>> = {
  'JSON.parse + JSON.stringify': () => JSON.stringify(JSON.parse(bytes.toString())),
  'the whole creation': () => {
    const object = decoded();
    podStrategy.prepareForCreate?.(object, context);
    const errors = new FieldErrors();
    podStrategy.validate?.(object, errors, context);
    validateCommonMetadata(object.metadata, true, errors);
    podStrategy.warnOnCreate?.(object, context);
    return encodeJson(Pod, object);
  },
  'decode + default': decoded,
  prepare: () => podStrategy.prepareForCreate?.(pod, context),
  validate,
  warn: () => podStrategy.warnOnCreate?.(pod, context),
  encode: () => encodeJson(Pod, pod),
};

function time(run: () => unknown): number {
  const count = 2000;
  const start = process.hrtime.bigint();
  for (let index = 0; index < count; index++) run();
  return Number(process.hrtime.bigint() - start) / 1000 / count;
}

function main(): void {
  const best = new Map(Object.keys(work).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < 12; round++) {
    for (const [name, run] of Object.entries(work)) best.set(name, Math.min(best.get(name) ?? 0, time(run)));
  }
  const unit = best.get('JSON.parse + JSON.stringify') ?? 1;
  console.log(`pod of ${bytes.length} bytes, ${validate().list.length} errors; in units of JSON.parse + JSON.stringify (${unit.toFixed(1)} µs here)`);
  for (const [name, micros] of best) console.log(`${(micros / unit).toFixed(2).padStart(6)}  ${name}`);
}

main();
