// What happens to every request, top to bottom. The order is part of the security model.
import type { Log } from '#base/log.ts';
import type { Authenticator } from '#auth/authenticator.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import type { StructSchema } from '#schema/build.ts';
import type { Handler, Middleware } from '#server/front/exchange.ts';
import { answerErrors } from '#server/middleware/answer-errors.ts';
import { assignAuditId } from '#server/middleware/assign-audit-id.ts';
import { authenticate, type AuthenticationListener } from '#server/middleware/authenticate.ts';
import { authorize } from '#server/middleware/authorize.ts';
import { countRequests, type RequestCount } from '#server/middleware/count-requests.ts';
import { forbidCaching } from '#server/middleware/forbid-caching.ts';
import { limitDuration } from '#server/middleware/limit-duration.ts';
import { resolveRequestInfo } from '#server/middleware/resolve-request-info.ts';

export interface PipelineServices {
  readonly log: Log;
  readonly statusSchema: StructSchema;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly requests: RequestCount;
  readonly requestTimeoutMs: number;
  /** Steps with services of their own, each at its place in the order below. */
  readonly onAuthenticated?: AuthenticationListener;
  readonly isProxyHeader?: ((name: string) => boolean) | undefined;
  /** Those that see everything that can be understood: metrics, request log, headers for all answers. */
  readonly outer?: readonly Middleware[];
  readonly cors?: Middleware;
  readonly audit?: Middleware;
  readonly impersonate?: Middleware;
  readonly flowControl?: Middleware;
  /** Resources that only another server of this cluster serves. */
  readonly peers?: Middleware;
  readonly aggregate?: Middleware;
}

export function buildPipeline(services: PipelineServices, dispatch: Handler): Handler {
  const steps: (Middleware | undefined)[] = [
    assignAuditId(),
    forbidCaching(),
    answerErrors(services.log, services.statusSchema), // whatever is thrown below becomes a Status
    resolveRequestInfo(),
    ...(services.outer ?? []),
    countRequests(services.requests),
    limitDuration(services.requestTimeoutMs),
    services.cors,
    authenticate(services.authenticator, { listener: services.onAuthenticated, isProxyHeader: services.isProxyHeader }),
    services.audit,
    services.impersonate,
    services.flowControl,
    authorize(services.authorizer),
    services.peers,
    services.aggregate,
  ];
  return steps.reduceRight<Handler>((next, step) => (step === undefined ? next : step(next)), dispatch);
}
