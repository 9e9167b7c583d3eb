// Who may come in and what they may do: authentication and authorization of one server, put together.
import type { AdmissionPlugin } from '#admission/admission.ts';
import type { Writer } from '#api/lister.ts';
import { buildAuthentication } from '#app/access/authentication.ts';
import type { Certificates } from '#app/certificates/certificates.ts';
import { followAuthentication, followAuthorization } from '#app/access/access-files.ts';
import { escalationCheck } from '#app/access/escalation-check.ts';
import type { LiveCertificates } from '#app/certificates/live-certificates.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import type { Reads } from '#app/reads.ts';
import { readEndpoint } from '#app/access/remote-endpoint.ts';
import { apiAudiences, reviewServices } from '#app/access/review-services.ts';
import { buildServiceAccounts } from '#app/access/service-accounts.ts';
import { type AuthenticationFile, issuerOfFlags } from '#app/access/token-issuers.ts';
import { nodeGraphOf } from '#auth/authorization/feed-node-graph.ts';
import { feedRbac } from '#auth/authorization/feed-rbac.ts';
import { nodeAuthorizer } from '#auth/authorization/node.ts';
import { bootstrapToken, type BootstrapTokenParts } from '#auth/authentication/bootstrap-token.ts';
import type { TokenAuthenticator } from '#auth/authentication/token-verdict.ts';
import type { OpenIdDocuments } from '#auth/authentication/openid-metadata.ts';
import { RbacPolicy, rbacAuthorizer } from '#auth/authorization/rbac.ts';
import { remembered, webhookToken } from '#auth/authentication/webhook-token.ts';
import { localAdministrator } from '#auth/authentication/local-administrator.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import { reviewCall } from '#auth/remote-review.ts';
import type { Clock } from '#base/clock.ts';
import type { Metric } from '#base/metrics.ts';
import { clusterRoles } from '#controllers/bootstrap/rbac-policy.ts';
import type { ReviewServices } from '#verbs/subresources/reviews.ts';
import type { TokenRequestServices } from '#verbs/subresources/token-request.ts';

export interface AccessParts {
  readonly certificates: Certificates;
  readonly live: LiveCertificates;
  readonly reads: Reads;
  readonly writer: Writer;
  /** host:port under which others reach us. */
  readonly serverAddress: string;
  readonly signal: AbortSignal;
}

export interface Access {
  readonly authenticator: Authenticator;
  /** Of the insecure port. */
  readonly localAuthenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly reviews: ReviewServices;
  readonly tokenRequests: TokenRequestServices;
  readonly openId: OpenIdDocuments | undefined;
  readonly escalationCheck: AdmissionPlugin;
  /** Resolves when the stored roles and bindings count. */
  readonly ready: () => Promise<void>;
  readonly metrics: readonly Metric[];
}

/** Tokens that are dear to check are good for this long once they were; what ends them earlier is noticed that late. */
const successMs = 10_000;

export async function buildAccess(options: ServerOptions, parts: AccessParts): Promise<Access> {
  const { certificates, live, reads, writer, serverAddress, signal } = parts;
  const { clock, gate, lister, sources } = reads;
  const files = { ...reads, signal };
  const audiences = apiAudiences(options);
  const policy = new RbacPolicy();
  const accounts = buildServiceAccounts(options, { certificates, audiences, clock, serverAddress, lister, writer });
  const file = await followAuthentication(options, audiences, files);
  const ours = [...accounts.authenticators, ...bootstrapTokens(options, { lister, clock, apiAudiences: audiences })];
  const ofFlags = issuerOfFlags(options.flags, audiences, clock);
  const webhooks = await webhookTokens(options, audiences, clock);
  const tokens = perFile(file.current, ({ issuers }) => [
    ...ours,
    ...[...issuers, ...ofFlags].map((issuer) => remembered(issuer, clock, successMs)),
    ...webhooks,
  ]);
  const anonymous = file.current().anonymous;
  const { authenticate, credentials, judgeToken } = buildAuthentication(options, { certificates: live, clock, gate, audiences, tokens, anonymous });
  const handed = { RBAC: rbacAuthorizer(policy), Node: nodeAuthorizer({ graph: nodeGraphOf(sources, signal), rules: nodeRules(), gate }) };
  const authorization = await followAuthorization(options, handed, files);
  const authorizer: Authorizer = (user, attributes) => authorization.current().authorizer(user, attributes);
  return {
    authenticator: authenticate,
    localAuthenticator: localAdministrator(credentials),
    authorizer,
    reviews: reviewServices({ judgeToken, authorizer, policy, audiences, modes: () => authorization.current().modes }),
    tokenRequests: accounts.requests,
    openId: accounts.openId,
    escalationCheck: escalationCheck(policy, authorizer),
    ready: () => feedRbac(sources, policy, signal),
    metrics: [...file.metrics, ...authorization.metrics],
  };
}

/** Made anew when the file changes: nothing that was remembered for the old one counts for the new. */
function perFile<T>(current: () => AuthenticationFile, make: (file: AuthenticationFile) => T): () => T {
  let file = current();
  let made = make(file);
  return () => {
    if (current() !== file) made = make((file = current()));
    return made;
  };
}

function bootstrapTokens({ flags }: ServerOptions, parts: BootstrapTokenParts): readonly TokenAuthenticator[] {
  return flags.boolean('enable-bootstrap-token-auth') ? [bootstrapToken(parts)] : [];
}

async function webhookTokens({ flags }: ServerOptions, apiAudiences: readonly string[], clock: Clock): Promise<readonly TokenAuthenticator[]> {
  const file = flags.text('authentication-token-webhook-config-file');
  if (file === '') return [];
  const version = flags.text('authentication-token-webhook-version') === 'v1' ? 'v1' : 'v1beta1';
  const ttlMs = flags.durationMs('authentication-token-webhook-cache-ttl');
  return [remembered(webhookToken({ call: reviewCall(await readEndpoint(file)), version, apiAudiences }), clock, ttlMs, ttlMs)];
}

function nodeRules() {
  return clusterRoles.find(({ name }) => name === 'system:node')?.rules ?? [];
}
