// Issuers of tokens beside the service accounts: by flags, or by the file of `--authentication-config`.
import type { ClaimReader } from '#auth/authentication/claim-expressions.ts';
import { readFileSync } from 'node:fs';
import { FlagError, type FlagValues } from '#app/flags/flags.ts';
import { jsonFetcher, parseYamlText } from '#app/access/remote-endpoint.ts';
import { jwtIssuer, type JwtIssuerOptions, type PrefixedClaim } from '#auth/authentication/jwt-issuer.ts';
import type { TokenAuthenticator } from '#auth/authentication/token-verdict.ts';
import type { Clock } from '#base/clock.ts';

export interface AuthenticationFile {
  readonly issuers: readonly TokenAuthenticator[];
  /** Undefined: as the flag says. */
  readonly anonymous: AnonymousRule | undefined;
}

export interface AnonymousRule {
  readonly enabled: boolean;
  /** Only for these paths; empty: for all. */
  readonly paths: readonly string[];
}

type Common = Pick<JwtIssuerOptions, 'apiAudiences' | 'clock'>;

/** `--oidc-*`. */
export function issuerOfFlags(flags: FlagValues, apiAudiences: readonly string[], clock: Clock): readonly TokenAuthenticator[] {
  const url = flags.text('oidc-issuer-url');
  if (url === '') return [];
  if (!url.startsWith('https://')) throw new FlagError('--oidc-issuer-url must use the https scheme');
  if (flags.text('oidc-client-id') === '') throw new FlagError('--oidc-issuer-url and --oidc-client-id must be specified together');
  const claim = flags.text('oidc-username-claim');
  const groups = flags.text('oidc-groups-claim');
  const ca = flags.text('oidc-ca-file');
  return [
    jwtIssuer({
      url,
      discoveryUrl: '',
      audiences: [flags.text('oidc-client-id')],
      algorithms: flags.list('oidc-signing-algs'),
      username: { claim, prefix: usernamePrefix(flags.text('oidc-username-prefix'), claim, url) },
      groups: groups === '' ? undefined : { claim: groups, prefix: flags.text('oidc-groups-prefix') },
      uidClaim: undefined,
      requiredClaims: flags.map('oidc-required-claim'),
      fetchJson: jsonFetcher(ca === '' ? undefined : readFileSync(ca, 'utf8')),
      apiAudiences,
      clock,
    }),
  ];
}

/** Names of strangers must not be mistaken for ours: without a word about it they carry their issuer. */
function usernamePrefix(given: string, claim: string, url: string): string {
  if (given === '-') return '';
  return given === '' && claim !== 'email' ? `${url}#` : given;
}

interface ClaimMapping {
  readonly claim?: string;
  readonly prefix?: string;
  readonly expression?: string;
}

interface JwtConfig {
  readonly issuer?: { readonly url?: string; readonly discoveryURL?: string; readonly certificateAuthority?: string; readonly audiences?: readonly string[] };
  readonly claimValidationRules?: readonly {
    readonly claim?: string;
    readonly requiredValue?: string;
    readonly expression?: string;
    readonly message?: string;
  }[];
  readonly claimMappings?: {
    readonly username?: ClaimMapping;
    readonly groups?: ClaimMapping;
    readonly uid?: ClaimMapping;
    readonly extra?: readonly { readonly key?: string; readonly valueExpression?: string }[];
  };
  readonly userValidationRules?: readonly { readonly expression?: string; readonly message?: string }[];
}

interface AuthenticationConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly jwt?: readonly JwtConfig[];
  readonly anonymous?: { readonly enabled?: boolean; readonly conditions?: readonly { readonly path?: string }[] };
}

/** Throws FlagError for what cannot be understood or served. */
export async function parseAuthenticationFile(file: string, text: string, apiAudiences: readonly string[], clock: Clock): Promise<AuthenticationFile> {
  const config = (await parseYamlText(file, text)) as AuthenticationConfiguration;
  if (config.kind !== 'AuthenticationConfiguration' || !config.apiVersion?.startsWith('apiserver.config.k8s.io/'))
    throw new FlagError(`--authentication-config: ${file} holds no AuthenticationConfiguration of apiserver.config.k8s.io`);
  const { anonymous } = config;
  return {
    issuers: await Promise.all((config.jwt ?? []).map(async (jwt, i) => jwtIssuer(await issuerOf(jwt, `jwt[${i}]`, { apiAudiences, clock })))),
    anonymous: anonymous && { enabled: anonymous.enabled === true, paths: (anonymous.conditions ?? []).map(({ path = '' }) => path) },
  };
}

const allAlgorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];

async function issuerOf(config: JwtConfig, path: string, common: Common): Promise<JwtIssuerOptions> {
  const { issuer = {}, claimMappings = {}, claimValidationRules = [] } = config;
  if (!issuer.url?.startsWith('https://')) throw new FlagError(`${path}.issuer.url: must be a URL with the https scheme`);
  if (!issuer.audiences?.length) throw new FlagError(`${path}.issuer.audiences: at least one is required`);
  const expressions = await expressionsOf(config, path);
  return {
    ...common,
    url: issuer.url,
    discoveryUrl: issuer.discoveryURL ?? '',
    audiences: issuer.audiences,
    algorithms: allAlgorithms,
    expressions,
    username: expressions?.username === undefined ? mapping(claimMappings.username, `${path}.claimMappings.username`) : undefined,
    groups: claimMappings.groups?.claim ? mapping(claimMappings.groups, `${path}.claimMappings.groups`) : undefined,
    uidClaim: claimMappings.uid?.claim,
    requiredClaims: Object.fromEntries(
      claimValidationRules.filter(({ expression }) => !expression).map(({ claim = '', requiredValue = '' }) => [claim, requiredValue]),
    ),
    fetchJson: jsonFetcher(issuer.certificateAuthority),
  };
}

function mapping({ claim, prefix }: ClaimMapping = {}, path: string): PrefixedClaim {
  if (!claim) throw new FlagError(`${path}.claim: is required`);
  if (prefix === undefined) throw new FlagError(`${path}.prefix: is required when claim is set; it may be empty`);
  return { claim, prefix };
}

/** The compiler of expressions is loaded only where a configuration has some. */
async function expressionsOf(
  { claimMappings = {}, claimValidationRules = [], userValidationRules = [] }: JwtConfig,
  path: string,
): Promise<ClaimReader | undefined> {
  const { username, groups, uid, extra = [] } = claimMappings;
  const used = [username, groups, uid, ...claimValidationRules].some((part) => part?.expression);
  if (!used && userValidationRules.length === 0 && extra.length === 0) return undefined;
  refuseUnverifiedEmail(username?.expression ?? '', [...claimValidationRules, ...extra.map(({ valueExpression: expression }) => ({ expression }))], path);
  const { compileClaims } = await import('#auth/authentication/claim-expressions.ts');
  try {
    return compileClaims({
      username: username?.expression,
      groups: groups?.expression,
      uid: uid?.expression,
      extra: extra.map(({ key = '', valueExpression = '' }) => ({ key, valueExpression })),
      claimRules: claimValidationRules.flatMap(({ expression, message = '' }) => (expression ? [{ expression, message }] : [])),
      userRules: userValidationRules.map(({ expression = '', message = '' }) => ({ expression, message })),
    });
  } catch (error) {
    throw new FlagError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** As upstream: whoever takes the email for the name must look whether it was verified. */
function refuseUnverifiedEmail(username: string, others: readonly { readonly expression?: string | undefined }[], path: string): void {
  if (
    !/\bclaims\.email\b/.test(username) ||
    [username, ...others.map(({ expression = '' }) => expression)].some((text) => /\bclaims\.\??email_verified\b/.test(text))
  )
    return;
  throw new FlagError(
    `${path}.claimMappings.username.expression: claims.email_verified must be used in claimMappings.username.expression or claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when claims.email is used in claimMappings.username.expression`,
  );
}
