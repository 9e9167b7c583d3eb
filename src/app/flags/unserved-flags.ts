// Flags of kube-apiserver that this server does not serve. What would silently make it less safe than asked for is refused by name;
// the rest has no effect, which the log says once at start.
import { FlagError, type FlagValues } from '#app/flags/flags.ts';
import { kubernetesVersion } from '#server/pages/version.ts';

type Refusal = (flags: FlagValues) => string | undefined;

const unless =
  (holds: (flags: FlagValues) => boolean, sentence: string): Refusal =>
  (flags) =>
    holds(flags) ? undefined : sentence;
const isEmpty = (name: string) => (flags: FlagValues) => flags.text(name) === '';

const refusals: Readonly<Record<string, Refusal>> = {
  'storage-backend': unless(
    (flags) => ['', 'etcd3'].includes(flags.text('storage-backend')),
    'etcd3 is the only one; leave out --etcd-servers to keep objects in --data-dir',
  ),
  'storage-media-type': unless(
    (flags) => ['application/vnd.kubernetes.protobuf', 'application/json'].includes(flags.text('storage-media-type')),
    'must be application/vnd.kubernetes.protobuf or application/json',
  ),
  'service-account-signing-endpoint': unless(
    isEmpty('service-account-signing-endpoint'),
    'tokens are signed by this server itself, with the key of --service-account-signing-key-file',
  ),
  'egress-selector-config-file': unless(
    isEmpty('egress-selector-config-file'),
    'this build opens its connections to webhooks and issuers itself, without an egress selector',
  ),
  'max-connection-bytes-per-sec': unless((flags) => flags.number('max-connection-bytes-per-sec') === 0, 'this build does not throttle connections'),
  'enable-garbage-collector': unless(
    (flags) => flags.boolean('enable-garbage-collector'),
    'this build always keeps what the garbage collector needs: finalizers of orphaning and foreground deletion',
  ),
  'emulated-version': (flags) => otherVersion(flags, 'emulated-version'),
  'min-compatibility-version': (flags) => otherVersion(flags, 'min-compatibility-version'),
};

/** `1.36` or `kube=1.36`: this build is no other version. */
function otherVersion(flags: FlagValues, name: string): string | undefined {
  const own = `${kubernetesVersion.major}.${kubernetesVersion.minor}`;
  const others = flags.list(name).filter((text) => (text.startsWith('kube=') || !text.includes('=')) && text.replace(/^kube=v?|^v/, '') !== own);
  return others.length === 0 ? undefined : `this build behaves as version ${own} only, not as ${others.join(', ')}`;
}

export function refuseUnserved(flags: FlagValues): void {
  for (const [name, refusal] of Object.entries(refusals)) {
    const sentence = refusal(flags);
    if (sentence !== undefined) throw new FlagError(`--${name}: ${sentence}`);
  }
}

/** A test looks that each is used nowhere, and that no other is forgotten. */
export const withoutEffect: readonly string[] = `
  allow-metric-labels allow-metric-labels-manifest disabled-metrics show-hidden-metrics-for-version
  audit-log-version audit-webhook-batch-initial-backoff audit-webhook-version
  contention-profiling debug-socket-path enable-logs-handler tracing-config-file vmodule
  default-watch-cache-size watch-cache watch-cache-sizes storage-initialization-timeout
  emulation-forward-compatible runtime-config-emulation-forward-compatible
  external-hostname livez-grace-period kubernetes-service-node-port permit-address-sharing permit-port-sharing
  kubelet-certificate-authority kubelet-client-certificate kubelet-client-key kubelet-port kubelet-preferred-address-types
  kubelet-read-only-port kubelet-timeout
  log-flush-frequency log-json-info-buffer-size log-json-split-stream log-text-info-buffer-size log-text-split-stream
`
  .trim()
  .split(/\s+/);

/** Those that were given another value than they have anyway. */
export function givenWithoutEffect(flags: FlagValues): readonly string[] {
  return withoutEffect.filter((name) => flags.isChanged(name));
}

/** As upstream's validation has it: flags of a gate that is off would be silently without effect. */
export function refusePeerFlags(flags: FlagValues, gate: (name: string) => boolean): void {
  if (gate('UnknownVersionInteroperabilityProxy')) return;
  const given = ['peer-ca-file', 'peer-advertise-ip', 'peer-advertise-port'].find((name) => flags.text(name) !== '');
  if (given !== undefined) throw new FlagError(`--${given} requires UnknownVersionInteroperabilityProxy feature to be turned on`);
}
