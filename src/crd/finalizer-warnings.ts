// Advice on the names of finalizers that a write adds to a custom object.
import type { KubernetesObject } from '#api/object.ts';
import { goQuote } from '#base/go-text.ts';
import { labelKeyProblems } from '#base/label-syntax.ts';

const standard = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

export function finalizerWarnings({ metadata }: KubernetesObject, old: KubernetesObject | undefined): readonly string[] {
  const had = new Set(old?.metadata.finalizers);
  const added = [...new Set(metadata.finalizers)].filter((name) => !had.has(name)).toSorted();
  return added.flatMap(warningsOn);
}

function warningsOn(name: string): readonly string[] {
  const subject = `metadata.finalizers: ${goQuote(name)}`;
  const warnings = labelKeyProblems(name).map((problem) => `${subject}: ${problem}`);
  if (name.includes('/') || standard.has(name)) return warnings;
  const path = name.includes('.') ? ' including a path (/)' : '';
  return [...warnings, `${subject}: prefer a domain-qualified finalizer name${path} to avoid accidental conflicts with other finalizer writers`];
}
