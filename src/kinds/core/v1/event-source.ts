import { type Infer, optional, string, struct } from '#schema/build.ts';

export const EventSource = struct('io.k8s.api.core.v1.EventSource', () => ({
  component: optional(1, string),
  host: optional(2, string),
}));
export interface EventSource extends Infer<typeof EventSource> {}
