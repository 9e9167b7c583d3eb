import { containerFields } from '#kinds/core/v1/container/container.ts';
import { type Infer, inline, optional, string, struct } from '#schema/build.ts';

export const EphemeralContainer = struct('io.k8s.api.core.v1.EphemeralContainer', () => ({
  ...inline(1, 'ephemeralContainerCommon', EphemeralContainerCommon),
  targetContainerName: optional(2, string),
}));
export interface EphemeralContainer extends Infer<typeof EphemeralContainer> {}

export const EphemeralContainerCommon = struct('io.k8s.api.core.v1.EphemeralContainerCommon', containerFields, { unpublished: true });
export interface EphemeralContainerCommon extends Infer<typeof EphemeralContainerCommon> {}
