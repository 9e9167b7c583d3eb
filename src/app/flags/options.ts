// The command line as the typed options of a server.
import { parseCidrSloppy } from '#base/ip-address.ts';
import { join } from 'node:path';
import { binnacleFlags } from '#app/flags/binnacle-flags.ts';
import { controllerFlags } from '#app/flags/controller-flags.ts';
import { type FlagDefinition, FlagError, type FlagValues, parseFlags } from '#app/flags/flags.ts';
import { originalControllers } from '#app/flags/original-controllers.ts';
import { kubeApiserverFlags } from '#app/flags/kube-apiserver-flags.ts';
import { unknownController } from '#app/loops/controller-names.ts';
import { refuseUnserved } from '#app/flags/unserved-flags.ts';

/** Under which name the server was started: as kube-apiserver it has the defaults of the original. */
export type Program = 'binnacle' | 'kube-apiserver';

export interface ServerOptions {
  readonly program: Program;
  /** Empty: started as kube-apiserver without one, so nothing is written but certificates that are missing in --cert-dir. */
  readonly dataDir: string;
  /** Objects live in memory only, without an etcd. */
  readonly memory: boolean;
  /** Members of an etcd that keeps all objects; the stub of dist/envtest stands for memory. */
  readonly etcdServers: readonly string[];
  readonly controllers: readonly string[];
  /** How many nodes this server plays. */
  readonly nodes: number;
  readonly bindAddress: string;
  readonly securePort: number;
  /** 0: no plain HTTP. */
  readonly insecurePort: number;
  readonly advertiseAddress: string;
  readonly tls: TlsFiles;
  readonly authentication: AuthenticationOptions;
  readonly authorizationModes: readonly string[];
  readonly serviceAccounts: ServiceAccountOptions;
  readonly admission: AdmissionOptions;
  /** CIDRs, one per address family, the main one first. */
  readonly serviceClusterIpRanges: readonly string[];
  readonly serviceNodePorts: { readonly from: number; readonly to: number };
  /** As given: `api/all=true,apps/v1=false`. */
  readonly runtimeConfig: string;
  readonly featureGates: Readonly<Record<string, string>>;
  readonly requestTimeoutMs: number;
  readonly minRequestTimeoutSeconds: number;
  readonly eventTtlSeconds: number;
  readonly allowPrivileged: boolean;
  readonly http2: { readonly enabled: boolean; readonly streamsPerConnection: number };
  readonly log: { readonly format: 'text' | 'json'; readonly verbosity: number };
  /** Everything else. */
  readonly flags: FlagValues;
}

export interface TlsFiles {
  /** Empty: made in the data directory. */
  readonly certFile: string;
  readonly keyFile: string;
  /** Where certificates go that are made here; empty: below the data directory. */
  readonly certDir: string;
  readonly minVersion: string;
  readonly cipherSuites: readonly string[];
  /** By OpenSSL's names; empty: its own choice. */
  readonly curves: readonly string[];
}

export interface AuthenticationOptions {
  readonly anonymous: boolean;
  readonly clientCaFile: string;
  readonly tokenFile: string;
  readonly audiences: readonly string[];
  readonly requestHeader: {
    readonly clientCaFile: string;
    readonly allowedNames: readonly string[];
    readonly usernameHeaders: readonly string[];
    readonly groupHeaders: readonly string[];
    readonly uidHeaders: readonly string[];
    readonly extraHeaderPrefixes: readonly string[];
  };
}

export interface ServiceAccountOptions {
  readonly issuers: readonly string[];
  readonly keyFiles: readonly string[];
  readonly signingKeyFile: string;
  readonly lookup: boolean;
  readonly extendExpiration: boolean;
  readonly maxExpirationMs: number;
  readonly jwksUri: string;
}

export interface AdmissionOptions {
  /** These and no others run; undefined: the flag was not given. */
  readonly exactly: readonly string[] | undefined;
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
  readonly configFile: string;
}

export interface Surroundings {
  readonly homeDir: string;
  readonly program?: Program;
}

export const allFlags = [...binnacleFlags, ...controllerFlags, ...kubeApiserverFlags];

/** kube-apiserver has no --insecure-port since v1.24, and envtest looks for it; its --help tells all. */
export function flagsOf(program: Program): readonly FlagDefinition[] {
  return program === 'binnacle' ? allFlags : allFlags.filter(({ name }) => name !== 'insecure-port' && name !== 'help-all');
}

/** Throws FlagError for what cannot be understood or served. */
export function parseOptions(argv: readonly string[], surroundings: Surroundings): ServerOptions {
  const { program = 'binnacle' } = surroundings;
  const { flags, positional } = parseFlags(flagsOf(program), argv);
  if (positional.length > 0) throw new FlagError(`"${program}" does not take any arguments, got ${JSON.stringify(positional)}`);
  return optionsOf(flags, surroundings);
}

/** Of flags that were read already. */
export function optionsOf(flags: FlagValues, { homeDir, program = 'binnacle' }: Surroundings): ServerOptions {
  refuseUnserved(flags);
  const isOriginal = program === 'kube-apiserver';
  const modes = authorizationModes(flags, isOriginal);
  return {
    program,
    dataDir: flags.text('data-dir') || (isOriginal ? '' : join(homeDir, '.binnacle')),
    memory: flags.boolean('memory'),
    etcdServers: flags.list('etcd-servers'),
    controllers: chosenControllers(flags, isOriginal),
    nodes: playedNodes(flags, isOriginal),
    bindAddress: flags.text('bind-address'),
    securePort: portOf(flags, 'secure-port'),
    insecurePort: isOriginal ? 0 : portOf(flags, 'insecure-port'),
    advertiseAddress: flags.text('advertise-address'),
    tls: tlsFiles(flags, isOriginal),
    authentication: authenticationOptions(flags, modes),
    authorizationModes: modes,
    serviceAccounts: serviceAccountOptions(flags),
    admission: admissionOptions(flags),
    serviceClusterIpRanges: serviceRanges(flags),
    serviceNodePorts: portRange(flags.text('service-node-port-range')),
    runtimeConfig: pairsText(flags.map('runtime-config')),
    featureGates: withoutComponent(flags.map('feature-gates')),
    requestTimeoutMs: flags.durationMs('request-timeout'),
    minRequestTimeoutSeconds: flags.number('min-request-timeout'),
    eventTtlSeconds: flags.durationMs('event-ttl') / 1000,
    allowPrivileged: flags.boolean('allow-privileged'),
    http2: { enabled: !flags.boolean('disable-http2-serving'), streamsPerConnection: flags.number('http2-max-streams-per-connection') || 100 },
    log: { format: flags.text('logging-format') === 'json' ? 'json' : 'text', verbosity: flags.number('v') },
    flags,
  };
}

function chosenControllers(flags: FlagValues, isOriginal: boolean): readonly string[] {
  if (isOriginal && !flags.isGiven('controllers')) return originalControllers(flags);
  const chosen = flags.list('controllers');
  const problem = unknownController(chosen);
  if (problem !== undefined) throw new FlagError(problem);
  return chosen;
}

const mostNodes = 10_000;

/** The original has none, and tests written for it make nodes of their own. */
function playedNodes(flags: FlagValues, isOriginal: boolean): number {
  if (isOriginal && !flags.isGiven('nodes')) return 0;
  const nodes = flags.number('nodes');
  if (nodes < 0 || nodes > mostNodes) throw new FlagError(`--nodes ${nodes} must be between 0 and ${mostNodes}, inclusive`);
  return nodes;
}

const lastPort = 65_535;

function portOf(flags: FlagValues, name: string): number {
  const port = flags.number(name);
  if (port < 0 || port > lastPort) throw new FlagError(`--${name} ${port} must be between 0 and ${lastPort}, inclusive`);
  return port;
}

function serviceRanges(flags: FlagValues): readonly string[] {
  const ranges = (flags.text('service-cluster-ip-range') || '10.0.0.0/24').split(',');
  const wrong = ranges.find((range) => parseCidrSloppy(range.trim()) === undefined);
  if (wrong !== undefined) throw new FlagError(`service-cluster-ip-range is not a valid cidr: ${JSON.stringify(wrong)}`);
  return ranges;
}

function tlsFiles(flags: FlagValues, isOriginal: boolean): TlsFiles {
  return {
    certFile: flags.text('tls-cert-file'),
    keyFile: flags.text('tls-private-key-file'),
    certDir: flags.isGiven('cert-dir') || (isOriginal && !flags.isGiven('data-dir')) ? flags.text('cert-dir') : '',
    minVersion: flags.text('tls-min-version'),
    cipherSuites: flags.list('tls-cipher-suites'),
    curves: flags.list('tls-curve-preferences').map(curveOf),
  };
}

/** The numbers of TLS, as Go's tls.CurveID has them. */
const curves: Readonly<Record<string, string>> = { 23: 'prime256v1', 24: 'secp384r1', 25: 'secp521r1', 29: 'X25519' };

function curveOf(id: string): string {
  const curve = Object.hasOwn(curves, id) ? curves[id] : undefined;
  if (curve === undefined) throw new FlagError(`--tls-curve-preferences: unknown curve ${id}, this build knows ${Object.keys(curves).join(', ')}`);
  return curve;
}

function authenticationOptions(flags: FlagValues, modes: readonly string[]): AuthenticationOptions {
  return {
    // As upstream: a server that allows everything to everybody knows no anonymous users.
    anonymous: flags.boolean('anonymous-auth') && !modes.includes('AlwaysAllow'),
    clientCaFile: flags.text('client-ca-file'),
    tokenFile: flags.text('token-auth-file'),
    audiences: flags.list('api-audiences'),
    requestHeader: {
      clientCaFile: flags.text('requestheader-client-ca-file'),
      allowedNames: flags.list('requestheader-allowed-names'),
      usernameHeaders: flags.list('requestheader-username-headers'),
      groupHeaders: flags.list('requestheader-group-headers'),
      uidHeaders: flags.list('requestheader-uid-headers'),
      extraHeaderPrefixes: flags.list('requestheader-extra-headers-prefix'),
    },
  };
}

/** Safe by default, unlike upstream: to have no authorization takes the flag, or the name of the original. */
function authorizationModes(flags: FlagValues, isOriginal: boolean): readonly string[] {
  const modes = flags.list('authorization-mode');
  if (modes.length > 0) return modes;
  return isOriginal && !flags.isGiven('authorization-config') ? ['AlwaysAllow'] : ['Node', 'RBAC'];
}

function serviceAccountOptions(flags: FlagValues): ServiceAccountOptions {
  const issuers = flags.list('service-account-issuer');
  return {
    issuers: issuers.length > 0 ? issuers : ['https://kubernetes.default.svc.cluster.local'],
    keyFiles: flags.list('service-account-key-file'),
    signingKeyFile: flags.text('service-account-signing-key-file'),
    lookup: flags.boolean('service-account-lookup'),
    extendExpiration: flags.boolean('service-account-extend-token-expiration'),
    maxExpirationMs: flags.durationMs('service-account-max-token-expiration'),
    jwksUri: flags.text('service-account-jwks-uri'),
  };
}

function admissionOptions(flags: FlagValues): AdmissionOptions {
  return {
    exactly: flags.isGiven('admission-control') ? flags.list('admission-control') : undefined,
    enabled: flags.list('enable-admission-plugins'),
    disabled: flags.list('disable-admission-plugins'),
    configFile: flags.text('admission-control-config-file'),
  };
}

function portRange(text: string): { from: number; to: number } {
  const [from = 0, to = 0] = text.split('-').map(Number);
  return { from, to };
}

/** `kube:Gate=true` names the component that we are; others are not our business. */
function withoutComponent(gates: Readonly<Record<string, string>>): Record<string, string> {
  const ours = Object.entries(gates).filter(([name]) => !name.includes(':') || name.startsWith('kube:'));
  return Object.fromEntries(ours.map(([name, value]) => [name.replace(/^kube:/, ''), value]));
}

function pairsText(pairs: Readonly<Record<string, string>>): string {
  return Object.entries(pairs)
    .map(([key, value]) => (value === '' ? key : `${key}=${value}`))
    .join(',');
}
