// Groups that belong to the Kubernetes community need its approval, which an annotation tells.
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';
import { parseGoUrl } from '#base/go-url.ts';

export const approvalKey = 'api-approved.kubernetes.io';

export type Approval = 'missing' | 'bypassed' | 'approved' | 'invalid';

export function isProtectedGroup(group: string): boolean {
  return /(?:^|\.)(?:k8s|kubernetes)\.io$/.test(group);
}

export function approvalOf({ metadata }: Pick<CustomResourceDefinition, 'metadata'>): Approval {
  const text = metadata.annotations?.[approvalKey] ?? '';
  if (text === '') return 'missing';
  if (text.startsWith('unapproved')) return 'bypassed';
  const url = parseGoUrl(text);
  return !('problem' in url) && url.host !== '' && url.scheme !== '' ? 'approved' : 'invalid';
}
