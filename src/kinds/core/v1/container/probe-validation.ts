// The rules of probes, lifecycle hooks and the handlers they share.
import type { FieldErrors } from '#api/field-error.ts';
import { httpHeaderNameProblems, portNameProblems, portNumberProblems } from '#base/formats.ts';
import type { Lifecycle, LifecycleHandler } from '#kinds/core/v1/container/lifecycle.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';
import { linuxSignals, windowsSignals } from '#kinds/core/v1/container/signals.ts';
import type { HTTPGetAction, Probe } from '#kinds/core/v1/container/probe.ts';
import { validateNonNegative } from '#resource/metadata-rules.ts';

/** Liveness and startup probes. */
export function validateOneSuccessProbe(probe: Probe | undefined, grace: number | undefined, path: string, errors: FieldErrors): void {
  if (probe === undefined) return;
  validateProbe(probe, grace, path, errors);
  if (probe.successThreshold !== 1) errors.invalid(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1');
}

export function validateReadinessProbe(probe: Probe | undefined, grace: number | undefined, path: string, errors: FieldErrors): void {
  if (probe === undefined) return;
  validateProbe(probe, grace, path, errors);
  if (probe.terminationGracePeriodSeconds !== undefined) {
    errors.invalid(`${path}.terminationGracePeriodSeconds`, probe.terminationGracePeriodSeconds, 'must not be set for readinessProbes');
  }
}

const countsOfProbe = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'] as const;

function validateProbe(probe: Probe, grace: number | undefined, path: string, errors: FieldErrors): void {
  validateHandler(probe, grace, path, errors);
  for (const field of countsOfProbe) {
    const value = probe[field];
    if (value !== undefined && value < 0) validateNonNegative(value, `${path}.${field}`, errors);
  }
  const seconds = probe.terminationGracePeriodSeconds;
  if (seconds !== undefined && seconds <= 0) errors.invalid(`${path}.terminationGracePeriodSeconds`, seconds, 'must be greater than 0');
}

type Handler = Pick<Probe, 'exec' | 'httpGet' | 'tcpSocket' | 'grpc'> & Pick<LifecycleHandler, 'sleep'>;
const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** The first handler is checked, further ones are refused. */
function validateHandler(handler: Handler, grace: number | undefined, path: string, errors: FieldErrors): void {
  let found = false;
  for (const name of handlers) {
    if (handler[name] === undefined) continue;
    if (found) errors.forbidden(`${path}.${name}`, 'may not specify more than 1 handler type');
    else validateAction(handler, name, grace, `${path}.${name}`, errors);
    found = true;
  }
  if (!found) errors.required(path, 'must specify a handler type');
}

function validateAction(handler: Handler, name: (typeof handlers)[number], grace: number | undefined, path: string, errors: FieldErrors): void {
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (name === 'exec' && !exec?.command?.length) errors.required(`${path}.command`);
  if (name === 'httpGet' && httpGet !== undefined) validateHttpGet(httpGet, path, errors);
  if (name === 'tcpSocket' && tcpSocket !== undefined) validatePort(tcpSocket.port, `${path}.port`, errors);
  if (name === 'grpc' && grpc !== undefined) validatePort(grpc.port, `${path}.port`, errors);
  if (name === 'sleep' && sleep !== undefined && grace !== undefined && (sleep.seconds < 0 || sleep.seconds > grace)) {
    errors.invalid(path, sleep.seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`);
  }
}

function validateHttpGet({ path: target, port, scheme = '', httpHeaders }: HTTPGetAction, path: string, errors: FieldErrors): void {
  if (!target) errors.required(`${path}.path`);
  validatePort(port, `${path}.port`, errors);
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') errors.notSupported(`${path}.scheme`, scheme, ['HTTP', 'HTTPS']);
  for (const { name } of httpHeaders ?? []) errors.invalidEach(`${path}.httpHeaders`, name, httpHeaderNameProblems(name));
}

/** By number or by name. */
export function validatePort(port: number | string, path: string, errors: FieldErrors): void {
  errors.invalidEach(path, port, typeof port === 'number' ? portNumberProblems(port) : portNameProblems(port));
}

export function validateLifecycle(lifecycle: Lifecycle, grace: number | undefined, os: PodSpec['os'], path: string, errors: FieldErrors): void {
  if (lifecycle.postStart !== undefined) validateHandler(lifecycle.postStart, grace, `${path}.postStart`, errors);
  if (lifecycle.preStop !== undefined) validateHandler(lifecycle.preStop, grace, `${path}.preStop`, errors);
  if (lifecycle.stopSignal !== undefined) validateStopSignal(lifecycle.stopSignal, os, `${path}.stopSignal`, errors);
}

function validateStopSignal(signal: string, os: PodSpec['os'], path: string, errors: FieldErrors): void {
  if (os === undefined) return errors.forbidden(path, 'may not be set for containers with empty `spec.os.name`');
  const supported = os.name === 'windows' ? windowsSignals : os.name === 'linux' ? linuxSignals : undefined;
  if (supported !== undefined && !supported.includes(signal)) errors.notSupported(path, signal, supported);
}
