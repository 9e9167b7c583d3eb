import { ExecAction, HTTPGetAction, TCPSocketAction } from '#kinds/core/v1/container/probe.ts';
import { linuxSignals } from '#kinds/core/v1/container/signals.ts';
import { type Infer, int64, pointer, ref, required, string, struct } from '#schema/build.ts';

export const Lifecycle = struct('io.k8s.api.core.v1.Lifecycle', () => ({
  postStart: pointer(1, ref<LifecycleHandler>(LifecycleHandler)),
  preStop: pointer(2, ref<LifecycleHandler>(LifecycleHandler)),
  stopSignal: pointer(3, string, {
    enum: linuxSignals,
    goType: 'v1.Signal',
  }),
}));
export interface Lifecycle extends Infer<typeof Lifecycle> {}

export const LifecycleHandler = struct('io.k8s.api.core.v1.LifecycleHandler', () => ({
  exec: pointer(1, ref<ExecAction>(ExecAction)),
  httpGet: pointer(2, ref<HTTPGetAction>(HTTPGetAction)),
  tcpSocket: pointer(3, ref<TCPSocketAction>(TCPSocketAction)),
  sleep: pointer(4, ref<SleepAction>(SleepAction)),
}));
export interface LifecycleHandler extends Infer<typeof LifecycleHandler> {}

export const SleepAction = struct('io.k8s.api.core.v1.SleepAction', () => ({
  seconds: required(1, int64),
}));
export interface SleepAction extends Infer<typeof SleepAction> {}
