import { ApiError } from '#api/api-error.ts';
import { formatGroupResource } from '#api/names.ts';
import type { User } from '#api/user.ts';
import type { AccessAttributes, Authorizer } from '#auth/authorizer.ts';
import type { Middleware } from '#server/front/exchange.ts';

export function authorize(authorizer: Authorizer): Middleware {
  return (next) => async (exchange) => {
    const { decision, reason } = await authorizer(exchange.user, exchange.info);
    exchange.annotate('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
    exchange.annotate('authorization.k8s.io/reason', reason);
    if (decision !== 'allow') {
      exchange.setHeader('x-content-type-options', 'nosniff');
      throw accessDenied(exchange.user, exchange.info, reason);
    }
    await next(exchange);
  };
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
