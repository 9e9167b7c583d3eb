// The value of the label `pod-template-hash`, equal to the original's, so that controllers of either find the same names for the same template.
import { fnv32a, safeEncoded } from '#base/go-hash.ts';
import { PodTemplateSpec } from '#kinds/core/v1/pod/pod-template-spec.ts';
import { goDump } from '#schema/go-dump.ts';

/** `collisionCount` gives another hash to a template whose first one is taken. */
export function podTemplateHash(template: PodTemplateSpec, collisionCount?: number): string {
  const hash = fnv32a(Buffer.from(goDump(PodTemplateSpec, template)));
  return safeEncoded(String(collisionCount === undefined ? hash : fnv32a(countBytes(collisionCount), hash)));
}

function countBytes(count: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(count);
  return bytes;
}
