import { boolean, type Infer, int32, int64, list, optional, pointer, required, rootStruct, string, time } from '#schema/build.ts';

export const NodeProxyOptions = rootStruct(
  'io.k8s.api.core.v1.NodeProxyOptions',
  () => ({
    path: optional(1, string),
  }),
  { unpublished: true },
);
export interface NodeProxyOptions extends Infer<typeof NodeProxyOptions> {}

export const PodAttachOptions = rootStruct(
  'io.k8s.api.core.v1.PodAttachOptions',
  () => ({
    stdin: optional(1, boolean),
    stdout: optional(2, boolean),
    stderr: optional(3, boolean),
    tty: optional(4, boolean),
    container: optional(5, string),
  }),
  { unpublished: true },
);
export interface PodAttachOptions extends Infer<typeof PodAttachOptions> {}

export const PodExecOptions = rootStruct(
  'io.k8s.api.core.v1.PodExecOptions',
  () => ({
    stdin: optional(1, boolean),
    stdout: optional(2, boolean),
    stderr: optional(3, boolean),
    tty: optional(4, boolean),
    container: optional(5, string),
    command: required(6, list(string), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface PodExecOptions extends Infer<typeof PodExecOptions> {}

export const PodLogOptions = rootStruct(
  'io.k8s.api.core.v1.PodLogOptions',
  () => ({
    container: optional(1, string),
    follow: optional(2, boolean),
    previous: optional(3, boolean),
    sinceSeconds: pointer(4, int64),
    sinceTime: pointer(5, time),
    timestamps: optional(6, boolean),
    tailLines: pointer(7, int64),
    limitBytes: pointer(8, int64),
    insecureSkipTLSVerifyBackend: optional(9, boolean),
    stream: pointer(10, string),
  }),
  { unpublished: true },
);
export interface PodLogOptions extends Infer<typeof PodLogOptions> {}

export const PodPortForwardOptions = rootStruct(
  'io.k8s.api.core.v1.PodPortForwardOptions',
  () => ({
    ports: optional(1, list(int32), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface PodPortForwardOptions extends Infer<typeof PodPortForwardOptions> {}

export const PodProxyOptions = rootStruct(
  'io.k8s.api.core.v1.PodProxyOptions',
  () => ({
    path: optional(1, string),
  }),
  { unpublished: true },
);
export interface PodProxyOptions extends Infer<typeof PodProxyOptions> {}

export const ServiceProxyOptions = rootStruct(
  'io.k8s.api.core.v1.ServiceProxyOptions',
  () => ({
    path: optional(1, string),
  }),
  { unpublished: true },
);
export interface ServiceProxyOptions extends Infer<typeof ServiceProxyOptions> {}
