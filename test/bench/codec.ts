// What decoding, defaulting and encoding cost beside bare JSON.parse and JSON.stringify of the same object, in one run.
// The budget of ARCHITECTURE.md §8: at most 2.5 times for a pod of 2.5 KB. Run: npx tsx test/bench/codec.ts
import { Pod } from '#kinds/core/v1/pod/pod.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import type { KubernetesObject } from '#api/object.ts';
import { canonical } from '#schema/json/canonical.ts';
import { clone } from '#schema/clone.ts';
import { decodeJson } from '#schema/json/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';
import { encodeJson } from '#schema/json/encode.ts';
import { equal } from '#schema/equal.ts';
import { parseJson } from '#schema/json/parse-json.ts';
import { samplePod } from '../support/sample-pod.ts';

const text = JSON.stringify(samplePod('web-7d4b9c6f5-x2x8q'));
const bytes = Buffer.from(text);
const value = JSON.parse(text) as KubernetesObject;
const object = decodeJson(Pod, bytes).object;
applyDefaults(pods, object);
const other = clone(object);

const work: Readonly<Record<string, () => unknown>> = {
  'JSON.parse + JSON.stringify': () => Buffer.from(JSON.stringify(JSON.parse(bytes.toString()))),
  'decode + default + encode': () => {
    const decoded = decodeJson(Pod, bytes).object;
    applyDefaults(pods, decoded);
    return Buffer.from(encodeJson(Pod, decoded));
  },
  'JSON.parse': () => JSON.parse(bytes.toString()),
  decodeJson: () => decodeJson(Pod, bytes),
  parseJson: () => parseJson(bytes),
  'JSON.stringify': () => Buffer.from(JSON.stringify(object)),
  encodeJson: () => Buffer.from(encodeJson(Pod, object)),
  applyDefaults: () => applyDefaults(pods, object),
  clone: () => clone(object),
  equal: () => equal(object, other),
  canonical: () => canonical(Pod, value),
};

function main(): void {
  const best = new Map(Object.keys(work).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < 80; round++) {
    for (const [name, run] of Object.entries(work)) best.set(name, Math.min(best.get(name) ?? 0, time(run)));
  }
  const unit = best.get('JSON.parse + JSON.stringify') as number;
  console.log(`pod of ${bytes.length} bytes; best of 80 rounds, in units of JSON.parse + JSON.stringify (${unit.toFixed(1)} µs here)`);
  for (const [name, micros] of best) console.log(`${(micros / unit).toFixed(2).padStart(6)}  ${name}`);
}

function time(run: () => unknown): number {
  const count = 300;
  const start = process.hrtime.bigint();
  for (let index = 0; index < count; index++) run();
  return Number(process.hrtime.bigint() - start) / 1000 / count;
}

main();
