import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { describeRefusals } from '../../../../../test/support/rule-cases.ts';
import { validPod } from '../../../../../test/support/valid-pod.ts';

describeRefusals('probes and hooks', pods, validPod, [
  ['a probe without a handler', { 'spec.containers.0.livenessProbe': {} }, 'spec.containers[0].livenessProbe: Required value: must specify a handler type'],
  [
    'a probe with two handlers',
    { 'spec.containers.0.livenessProbe.exec': { command: ['a'] } },
    'spec.containers[0].livenessProbe.httpGet: Forbidden: may not specify more than 1 handler type',
  ],
  ['a command without words', { 'spec.containers.0.readinessProbe.exec': {} }, 'spec.containers[0].readinessProbe.exec.command: Required value'],
  [
    'a port that is none',
    { 'spec.containers.0.startupProbe.tcpSocket.port': 0 },
    'spec.containers[0].startupProbe.tcpSocket.port: Invalid value: 0: must be between 1 and 65535, inclusive',
  ],
  [
    'a port name that is none',
    { 'spec.containers.0.livenessProbe.httpGet.port': 'HTTP' },
    'spec.containers[0].livenessProbe.httpGet.port: Invalid value: "HTTP": must contain at least one letter (a-z)',
    'spec.containers[0].livenessProbe.httpGet.port: Invalid value: "HTTP": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
  ],
  [
    'a gRPC port that is none',
    { 'spec.containers.0.startupProbe': { grpc: { port: 70000 } } },
    'spec.containers[0].startupProbe.grpc.port: Invalid value: 70000: must be between 1 and 65535, inclusive',
  ],
  [
    'an unknown scheme',
    { 'spec.containers.0.livenessProbe.httpGet.scheme': 'FTP' },
    'spec.containers[0].livenessProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
  ],
  [
    'a header name that is none',
    { 'spec.containers.0.livenessProbe.httpGet.httpHeaders': [{ name: 'a b', value: 'x' }] },
    `spec.containers[0].livenessProbe.httpGet.httpHeaders: Invalid value: "a b": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')`,
  ],
  [
    'negative counts',
    {
      'spec.containers.0.readinessProbe.initialDelaySeconds': -1,
      'spec.containers.0.readinessProbe.timeoutSeconds': -1,
      'spec.containers.0.readinessProbe.periodSeconds': -1,
      'spec.containers.0.readinessProbe.successThreshold': -1,
      'spec.containers.0.readinessProbe.failureThreshold': -1,
    },
    'spec.containers[0].readinessProbe.failureThreshold: Invalid value: -1: must be greater than or equal to 0',
    'spec.containers[0].readinessProbe.initialDelaySeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.containers[0].readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0',
    'spec.containers[0].readinessProbe.successThreshold: Invalid value: -1: must be greater than or equal to 0',
    'spec.containers[0].readinessProbe.timeoutSeconds: Invalid value: -1: must be greater than or equal to 0',
  ],
  [
    'a grace period of zero',
    { 'spec.containers.0.livenessProbe.terminationGracePeriodSeconds': 0 },
    'spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
  ],
  [
    'a grace period of a readiness probe',
    { 'spec.containers.0.readinessProbe.terminationGracePeriodSeconds': 5 },
    'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes',
  ],
  [
    'two successes of a liveness probe',
    { 'spec.containers.0.livenessProbe.successThreshold': 2 },
    'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'two successes of a startup probe',
    { 'spec.containers.0.startupProbe.successThreshold': 2 },
    'spec.containers[0].startupProbe.successThreshold: Invalid value: 2: must be 1',
  ],
  [
    'a hook without a handler',
    { 'spec.containers.0.lifecycle.postStart': {} },
    'spec.containers[0].lifecycle.postStart: Required value: must specify a handler type',
  ],
  [
    'a sleep longer than the grace period',
    { 'spec.containers.0.lifecycle.preStop.sleep.seconds': 31 },
    'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
  ],
  [
    'a negative sleep',
    { 'spec.containers.0.lifecycle.preStop.sleep.seconds': -1 },
    'spec.containers[0].lifecycle.preStop.sleep: Invalid value: -1: must be non-negative and less than terminationGracePeriodSeconds (30)',
  ],
  [
    'a readiness probe without a handler',
    { 'spec.containers.0.readinessProbe': {} },
    'spec.containers[0].readinessProbe: Required value: must specify a handler type',
  ],
  [
    'a startup probe without a handler',
    { 'spec.containers.0.startupProbe': {} },
    'spec.containers[0].startupProbe: Required value: must specify a handler type',
  ],
  [
    'a hook before the end without a handler',
    { 'spec.containers.0.lifecycle.preStop': {} },
    'spec.containers[0].lifecycle.preStop: Required value: must specify a handler type',
  ],
  [
    'a request and a connection',
    { 'spec.containers.0.livenessProbe.tcpSocket': { port: 80 } },
    'spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type',
  ],
  [
    'a request and a call',
    { 'spec.containers.0.livenessProbe.grpc': { port: 80 } },
    'spec.containers[0].livenessProbe.grpc: Forbidden: may not specify more than 1 handler type',
  ],
  [
    'a command and a nap',
    { 'spec.containers.0.lifecycle.preStop.exec': { command: ['a'] } },
    'spec.containers[0].lifecycle.preStop.sleep: Forbidden: may not specify more than 1 handler type',
  ],
]);
