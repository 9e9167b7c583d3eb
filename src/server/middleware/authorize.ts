import { ApiError } from '#api/api-error.ts';
import { formatGroupResource } from '#api/names.ts';
import type { User } from '#api/user.ts';
import type { AccessAttributes, Authorizer, Verdict } from '#auth/authorizer.ts';
import type { Exchange, Handler, Middleware } from '#server/front/exchange.ts';

export function authorize(authorizer: Authorizer): Middleware {
  return (next) => (exchange) => {
    const verdict = authorizer(exchange.user, exchange.info);
    return verdict instanceof Promise ? verdict.then((later) => decided(exchange, later, next)) : decided(exchange, verdict, next);
  };
}

function decided(exchange: Exchange, { decision, reason }: Verdict, next: Handler): Promise<void> {
  exchange.annotate('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
  exchange.annotate('authorization.k8s.io/reason', reason);
  if (decision === 'allow') return next(exchange);
  exchange.setHeader('x-content-type-options', 'nosniff');
  throw accessDenied(exchange.user, exchange.info, reason);
}

/** The 403 of authorization, in the words of the original. */
export function accessDenied(user: User, attributes: AccessAttributes, reason: string): ApiError {
  const why = `${describeAttempt(user, attributes)}${reason === '' ? '' : `: ${reason}`}`;
  if (!attributes.isResource) return new ApiError(403, 'Forbidden', `forbidden: ${why}`, { details: {} });
  const { group, resource, name } = attributes;
  const subject = `${formatGroupResource({ group, resource })}${name === '' ? '' : ` "${name}"`}`;
  const details = { ...(name !== '' && { name }), ...(group !== '' && { group }), kind: resource };
  return new ApiError(403, 'Forbidden', `${subject} is forbidden: ${why}`, { details });
}

function describeAttempt(user: User, { isResource, verb, path, group, resource, subresource, namespace }: AccessAttributes): string {
  if (!isResource) return `User "${user.name}" cannot ${verb} path "${path}"`;
  const target = subresource === '' ? resource : `${resource}/${subresource}`;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `User "${user.name}" cannot ${verb} resource "${target}" in API group "${group}" ${scope}`;
}
