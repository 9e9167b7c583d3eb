// Resources and subresources that are not simply stored: scale, binding, eviction, reviews, tokens.
import type { Body } from '#verbs/body.ts';
import type { Answer } from '#verbs/answer.ts';
import type { Call } from '#verbs/call.ts';
import type { PatchType } from '#verbs/compute-patch.ts';

export interface SubresourceRequest {
  readonly verb: string;
  readonly body: Body | undefined;
  readonly patchType: PatchType | 'apply' | undefined;
  /** Of what connects: what the query asks for, as mutating plugins left it. */
  readonly options?: Readonly<Record<string, unknown>>;
}

export type SubresourceHandler = (call: Call, request: SubresourceRequest) => Promise<Answer>;

/** By `<resource>.<group>` or `<resource>.<group>/<subresource>`: `pods./binding`, `deployments.apps/scale`, `tokenreviews.authentication.k8s.io`. */
export type SubresourceHandlers = ReadonlyMap<string, SubresourceHandler>;

/** Of every subresource that says where its Scale stands, of custom kinds too. */
export const scaleKey = '/scale';

export function handlerKey(group: string, resource: string, subresource: string): string {
  return subresource === '' ? `${resource}.${group}` : `${resource}.${group}/${subresource}`;
}
