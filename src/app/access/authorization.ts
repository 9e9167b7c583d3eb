// Which authorizers this server asks, in order: by `--authorization-mode`, or by the file of `--authorization-config`.
import type { MatchesReview } from '#auth/authorization/match-conditions.ts';
import { readFileSync } from 'node:fs';
import { parseGoDuration } from '#api/go-duration.ts';
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { parseYamlText, readEndpoint } from '#app/access/remote-endpoint.ts';
import { abacAuthorizer } from '#auth/authorization/abac.ts';
import { webhookAuthorizer } from '#auth/authorization/webhook.ts';
import { allowMasters, alwaysAllow, alwaysDeny, type Authorizer, firstOpinion } from '#auth/authorizer.ts';
import { reviewCall } from '#auth/remote-review.ts';
import type { Clock } from '#base/clock.ts';

/** Authorizers by the name of their mode; the ones that need services are handed in. */
export type AuthorizerModes = Readonly<Record<string, Authorizer>>;

export interface Authorization {
  readonly authorizer: Authorizer;
  readonly modes: readonly string[];
}

/** As the flags say. */
export async function authorizationOfFlags(options: ServerOptions, handed: AuthorizerModes, clock: Clock): Promise<Authorization> {
  const { flags, authorizationModes } = options;
  const entries = authorizationModes.map((type) => ({ type, ...(type === 'Webhook' && { webhook: webhookOfFlags(flags) }) }));
  return authorizationOf(entries, options, handed, clock);
}

/** As the text of a configuration file says. Throws FlagError for what cannot be understood or served. */
export async function authorizationOfFile(text: string, options: ServerOptions, handed: AuthorizerModes, clock: Clock): Promise<Authorization> {
  return authorizationOf(await entriesOfFile(options.flags, text), options, handed, clock);
}

/** Webhooks may come and go while the server runs, what decides in this process may not. */
export function refuseOtherModes(first: Authorization, next: Authorization): void {
  const lost = first.modes.filter((mode) => mode !== 'Webhook' && !next.modes.includes(mode));
  if (lost.length > 0) throw new FlagError(`authorizers: Required value: authorizer of type ${lost.join(', ')} was there when the server started`);
  const added = next.modes.filter((mode) => ['Node', 'RBAC', 'ABAC'].includes(mode) && !first.modes.includes(mode));
  if (added.length > 0) throw new FlagError(`authorizers: Invalid value: authorizer of type ${added.join(', ')} was not there when the server started`);
}

async function authorizationOf(entries: readonly Entry[], options: ServerOptions, handed: AuthorizerModes, clock: Clock): Promise<Authorization> {
  const chosen = await Promise.all(entries.map((entry) => authorizerOf(entry, options, handed, clock)));
  return { authorizer: firstOpinion([allowMasters, ...chosen]), modes: entries.map(({ type }) => type) };
}

interface Entry {
  readonly type: string;
  readonly webhook?: WebhookConfig;
}

interface WebhookConfig {
  readonly timeout?: string;
  readonly authorizedTTL?: string;
  readonly unauthorizedTTL?: string;
  readonly subjectAccessReviewVersion?: string;
  readonly failurePolicy?: string;
  readonly connectionInfo?: { readonly type?: string; readonly kubeConfigFile?: string };
  readonly matchConditions?: readonly { readonly expression?: string }[];
}

async function entriesOfFile(flags: ServerOptions['flags'], text: string): Promise<readonly Entry[]> {
  const file = flags.text('authorization-config');
  if (flags.isGiven('authorization-mode')) throw new FlagError('--authorization-config cannot be combined with --authorization-mode');
  const config = (await parseYamlText(file, text)) as { apiVersion?: string; kind?: string; authorizers?: readonly Entry[] };
  if (config.kind !== 'AuthorizationConfiguration' || !config.apiVersion?.startsWith('apiserver.config.k8s.io/'))
    throw new FlagError(`--authorization-config: ${file} holds no AuthorizationConfiguration of apiserver.config.k8s.io`);
  if (!config.authorizers?.length) throw new FlagError('--authorization-config: authorizers: at least one authorizer must be defined');
  return config.authorizers;
}

function webhookOfFlags(flags: ServerOptions['flags']): WebhookConfig {
  return {
    connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: flags.text('authorization-webhook-config-file') },
    authorizedTTL: `${flags.durationMs('authorization-webhook-cache-authorized-ttl')}ms`,
    unauthorizedTTL: `${flags.durationMs('authorization-webhook-cache-unauthorized-ttl')}ms`,
    subjectAccessReviewVersion: flags.text('authorization-webhook-version'),
    failurePolicy: 'NoOpinion',
    timeout: '30s',
  };
}

const simpleModes: AuthorizerModes = { AlwaysAllow: alwaysAllow, AlwaysDeny: alwaysDeny };

async function authorizerOf({ type, webhook }: Entry, { flags }: ServerOptions, handed: AuthorizerModes, clock: Clock): Promise<Authorizer> {
  if (type === 'Webhook') return webhookOf(webhook ?? {}, clock);
  if (type === 'ABAC') return abacOf(flags.text('authorization-policy-file'));
  return { ...simpleModes, ...handed }[type] ?? unknownMode(type, [...Object.keys(simpleModes), ...Object.keys(handed), 'ABAC', 'Webhook']);
}

async function webhookOf(config: WebhookConfig, clock: Clock): Promise<Authorizer> {
  const { kubeConfigFile = '', type } = config.connectionInfo ?? {};
  if (type !== 'KubeConfigFile' || kubeConfigFile === '') throw new FlagError('authorization webhook: connectionInfo must name a kubeConfigFile');
  return webhookAuthorizer({
    call: reviewCall(await readEndpoint(kubeConfigFile), milliseconds(config.timeout, 30_000)),
    version: config.subjectAccessReviewVersion === 'v1' ? 'v1' : 'v1beta1',
    clock,
    allowedMs: milliseconds(config.authorizedTTL, 300_000),
    refusedMs: milliseconds(config.unauthorizedTTL, 30_000),
    onFailure: config.failurePolicy === 'Deny' ? 'deny' : 'no-opinion',
    matches: await conditionsOf(config),
  });
}

/** The compiler of expressions is loaded only where a configuration has some. */
async function conditionsOf({ matchConditions = [], subjectAccessReviewVersion }: WebhookConfig): Promise<MatchesReview | undefined> {
  if (matchConditions.length === 0) return undefined;
  if (subjectAccessReviewVersion !== 'v1') throw new FlagError('authorization webhook: matchConditions need subjectAccessReviewVersion v1');
  const { compileReviewConditions } = await import('#auth/authorization/match-conditions.ts');
  try {
    return compileReviewConditions(matchConditions.map(({ expression = '' }) => expression));
  } catch (error) {
    throw new FlagError(`authorization webhook: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function milliseconds(text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise;
  const duration = parseGoDuration(text);
  if (duration === undefined) throw new FlagError(`authorization webhook: ${JSON.stringify(text)} is no duration`);
  return duration;
}

function abacOf(file: string): Authorizer {
  if (file === '') throw new FlagError("authorization-mode ABAC's authorization policy file not passed");
  try {
    return abacAuthorizer(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new FlagError(error instanceof Error ? error.message : String(error));
  }
}

function unknownMode(mode: string, known: readonly string[]): never {
  throw new FlagError(`--authorization-mode: ${JSON.stringify(mode)} is not served, known modes are ${known.toSorted().join(', ')}`);
}
