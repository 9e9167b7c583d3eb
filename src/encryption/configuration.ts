// EncryptionConfiguration of apiserver.config.k8s.io/v1: which providers encrypt which resources.
export interface EncryptionConfiguration {
  readonly resources: readonly ResourceRule[];
}

export interface ResourceRule {
  /** `secrets`, `deployments.apps`, `*.apps`, `*.` (the core group), `*.*`. */
  readonly resources: readonly string[];
  /** The first encrypts, all of them decrypt. */
  readonly providers: readonly Provider[];
}

/** Exactly one of them in a valid configuration. */
export interface Provider {
  readonly aesgcm?: KeyList | null | undefined;
  readonly aescbc?: KeyList | null | undefined;
  readonly secretbox?: KeyList | null | undefined;
  readonly identity?: object | null | undefined;
  readonly kms?: KmsPlugin | null | undefined;
}

export interface KeyList {
  readonly keys?: readonly NamedKey[] | null | undefined;
}

export interface NamedKey {
  readonly name?: string | undefined;
  /** In base64. */
  readonly secret?: string | undefined;
}

export interface KmsPlugin {
  readonly apiVersion?: string | undefined;
  readonly name?: string | undefined;
  readonly cachesize?: number | null | undefined;
  /** `unix:///run/kms.sock`. */
  readonly endpoint?: string | undefined;
  /** As Go writes durations. */
  readonly timeout?: string | null | undefined;
}

export interface GroupAndResource {
  readonly group: string;
  readonly resource: string;
}

/** What stands before the first dot is the resource. */
export function parseResource(text: string): GroupAndResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

export function defaultedKms({ apiVersion, timeout, cachesize, ...plugin }: KmsPlugin): KmsPlugin {
  const version = apiVersion === undefined || apiVersion === '' ? 'v1' : apiVersion;
  return { ...plugin, apiVersion: version, timeout: timeout ?? '3s', cachesize: cachesize ?? (version === 'v1' ? 1000 : undefined) };
}
