// Objects together with their type, in any version that owners have written their fields in.
import { parseApiVersion } from '#api/names.ts';
import type { KubernetesObject } from '#api/object.ts';
import { type Topology, topologyOf } from '#patch/apply/topology.ts';
import { refuseMisfit, TypeMismatch } from '#patch/apply/validate.ts';
import type { StructSchema } from '#schema/build.ts';
import type { Steps } from '#base/steps.ts';

export interface Typed {
  readonly apiVersion: string;
  readonly topology: Topology;
  readonly object: KubernetesObject;
}

/** The object in another version of its kind, with that version's schema; undefined for versions that are not served. */
export type ConvertObject = (object: KubernetesObject, apiVersion: string) => { readonly object: KubernetesObject; readonly schema: StructSchema } | undefined;

export interface Versions {
  readonly convert: (typed: Typed, apiVersion: string) => Typed | undefined;
}

/** Something about the objects themselves keeps their fields from being tracked. */
export class ApplyFailure extends Error {
  override readonly name = 'ApplyFailure';
}

export function versionsBy(convertObject: ConvertObject | undefined): Versions {
  return {
    convert: (typed, apiVersion) => {
      if (typed.apiVersion === apiVersion) return typed;
      if (parseApiVersion(apiVersion) === undefined) throw new ApplyFailure(`unexpected GroupVersion string: ${apiVersion}`);
      const converted = convertObject?.(typed.object, apiVersion);
      if (converted === undefined) return undefined;
      const topology = topologyOf(converted.schema);
      refuseMisfit(topology, converted.object, 'refused');
      return { apiVersion, topology, object: converted.object };
    },
  };
}

/** Puts the step that failed before the reason. */
export function explaining<T>(step: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw explained(step, error);
  }
}

/** The same for work in steps. */
export function* explainingSteps<T>(step: string, work: Steps<T>): Steps<T> {
  try {
    return yield* work;
  } catch (error) {
    throw explained(step, error);
  }
}

function explained(step: string, error: unknown): unknown {
  return error instanceof TypeMismatch || error instanceof ApplyFailure ? new ApplyFailure(`${step}: ${error.message}`) : error;
}
