import { type Infer, inline, int32, int64, intOrString, list, optional, pointer, ref, required, string, struct } from '#schema/build.ts';

export const Probe = struct('io.k8s.api.core.v1.Probe', () => ({
  ...inline(1, 'handler', ProbeHandler),
  initialDelaySeconds: optional(2, int32),
  timeoutSeconds: optional(3, int32),
  periodSeconds: optional(4, int32),
  successThreshold: optional(5, int32),
  failureThreshold: optional(6, int32),
  terminationGracePeriodSeconds: pointer(7, int64),
}));
export interface Probe extends Infer<typeof Probe> {}

export const ProbeHandler = struct(
  'io.k8s.api.core.v1.ProbeHandler',
  () => ({
    exec: pointer(1, ref<ExecAction>(ExecAction)),
    httpGet: pointer(2, ref<HTTPGetAction>(HTTPGetAction)),
    tcpSocket: pointer(3, ref<TCPSocketAction>(TCPSocketAction)),
    grpc: pointer(4, ref<GRPCAction>(GRPCAction)),
  }),
  { unpublished: true },
);
export interface ProbeHandler extends Infer<typeof ProbeHandler> {}

export const ExecAction = struct('io.k8s.api.core.v1.ExecAction', () => ({
  command: optional(1, list(string), { merge: 'atomic' }),
}));
export interface ExecAction extends Infer<typeof ExecAction> {}

export const HTTPGetAction = struct('io.k8s.api.core.v1.HTTPGetAction', () => ({
  path: optional(1, string),
  port: required(2, intOrString),
  host: optional(3, string),
  scheme: optional(4, string, { enum: ['HTTP', 'HTTPS'], goType: 'v1.URIScheme' }),
  httpHeaders: optional(5, list(ref<HTTPHeader>(HTTPHeader)), { merge: 'atomic' }),
}));
export interface HTTPGetAction extends Infer<typeof HTTPGetAction> {}

export const HTTPHeader = struct('io.k8s.api.core.v1.HTTPHeader', () => ({
  name: required(1, string),
  value: required(2, string),
}));
export interface HTTPHeader extends Infer<typeof HTTPHeader> {}

export const TCPSocketAction = struct('io.k8s.api.core.v1.TCPSocketAction', () => ({
  port: required(1, intOrString),
  host: optional(2, string),
}));
export interface TCPSocketAction extends Infer<typeof TCPSocketAction> {}

export const GRPCAction = struct('io.k8s.api.core.v1.GRPCAction', () => ({
  port: required(1, int32),
  service: pointer(2, string, { written: 'always', default: '' }),
}));
export interface GRPCAction extends Infer<typeof GRPCAction> {}
