// Who may come in and what they may do: authentication and authorization of one server, put together.
import type { AdmissionPlugin } from '#admission/admission.ts';
import { buildAuthentication } from '#app/authentication.ts';
import { buildAuthorizer } from '#app/authorization.ts';
import type { Certificates } from '#app/certificates.ts';
import { escalationCheck } from '#app/escalation-check.ts';
import { nodeGraphOf } from '#app/feed-node-graph.ts';
import { feedRbac } from '#app/feed-rbac.ts';
import type { ServerOptions } from '#app/options.ts';
import { apiAudiences, reviewServices } from '#app/review-services.ts';
import { buildServiceAccounts } from '#app/service-accounts.ts';
import { nodeAuthorizer } from '#auth/authorization/node.ts';
import { bootstrapToken, type BootstrapTokenParts } from '#auth/authentication/bootstrap-token.ts';
import type { TokenAuthenticator } from '#auth/authentication/token-verdict.ts';
import type { OpenIdDocuments } from '#auth/authentication/openid-metadata.ts';
import { RbacPolicy, rbacAuthorizer } from '#auth/authorization/rbac.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import type { Clock } from '#base/clock.ts';
import { clusterRoles } from '#controllers/bootstrap/rbac-policy.ts';
import type { World } from '#verbs/call.ts';
import type { ReviewServices } from '#verbs/subresources/reviews.ts';
import type { TokenRequestServices } from '#verbs/subresources/token-request.ts';

export interface AccessParts {
  readonly certificates: Certificates;
  readonly clock: Clock;
  readonly gate: (name: string) => boolean;
  /** host:port under which others reach us. */
  readonly serverAddress: string;
  /** Asked for on use: it needs what is built here. */
  readonly world: () => World;
  readonly signal: AbortSignal;
}

export interface Access {
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly reviews: ReviewServices;
  readonly tokenRequests: TokenRequestServices;
  readonly openId: OpenIdDocuments | undefined;
  readonly escalationCheck: AdmissionPlugin;
  /** Resolves when the stored roles and bindings count. */
  readonly ready: () => Promise<void>;
}

export function buildAccess(options: ServerOptions, { certificates, clock, gate, serverAddress, world, signal }: AccessParts): Access {
  const audiences = apiAudiences(options);
  const policy = new RbacPolicy();
  const accounts = buildServiceAccounts(options, { certificates, audiences, clock, serverAddress, lister: () => world().lister });
  const tokens = [...accounts.authenticators, ...bootstrapTokens(options, { lister: () => world().lister, clock, apiAudiences: audiences })];
  const { authenticate, judgeToken } = buildAuthentication(options, { clientCa: certificates.clientCa, clock, audiences, tokens });
  const authorizer = buildAuthorizer(options, {
    RBAC: rbacAuthorizer(policy),
    Node: nodeAuthorizer({ graph: nodeGraphOf(world, signal), rules: nodeRules(), gate }),
  });
  return {
    authenticator: authenticate,
    authorizer,
    reviews: reviewServices({ judgeToken, authorizer, policy, audiences, modes: options.authorizationModes }),
    tokenRequests: accounts.requests,
    openId: accounts.openId,
    escalationCheck: escalationCheck(policy, authorizer),
    ready: () => feedRbac(world(), policy, signal),
  };
}

function bootstrapTokens({ flags }: ServerOptions, parts: BootstrapTokenParts): readonly TokenAuthenticator[] {
  return flags.boolean('enable-bootstrap-token-auth') ? [bootstrapToken(parts)] : [];
}

function nodeRules() {
  return clusterRoles.find(({ name }) => name === 'system:node')?.rules ?? [];
}
