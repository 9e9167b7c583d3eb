// The rules of where a webhook is called: admission webhooks and conversion webhooks share them.
import type { FieldErrors } from '#api/field-error.ts';
import { dns1123SubdomainProblems, portNumberProblems } from '#base/formats.ts';
import { parseGoUrl } from '#base/go-url.ts';

export interface WebhookClient {
  readonly url?: string | undefined;
  readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string | undefined; readonly port?: number | undefined } | undefined;
}

export function validateWebhookClient({ url, service }: WebhookClient, path: string, errors: FieldErrors): void {
  if ((url === undefined) === (service === undefined)) return errors.required(path, 'exactly one of url or service is required');
  if (url !== undefined) validateUrl(url, `${path}.url`, errors);
  if (service !== undefined) validateService(service, `${path}.service`, errors);
}

const form = '; desired format: https://host[/path]';

function validateUrl(text: string, path: string, errors: FieldErrors): void {
  const url = parseGoUrl(text);
  if ('problem' in url) return errors.required(path, `url must be a valid URL: ${url.problem}${form}`);
  if (url.scheme !== 'https') errors.invalid(path, url.scheme, `'https' is the only allowed URL scheme${form}`);
  if (url.host === '') errors.invalid(path, url.host, `host must be specified${form}`);
  if (url.user !== undefined) errors.invalid(path, url.user, 'user information is not permitted in the URL');
  if (url.fragment !== '') errors.invalid(path, url.fragment, 'fragments are not permitted in the URL');
  if (url.query !== '') errors.invalid(path, url.query, 'query parameters are not permitted in the URL');
}

function validateService({ namespace, name, path: urlPath = '', port = 443 }: NonNullable<WebhookClient['service']>, path: string, errors: FieldErrors): void {
  // Upstream hands name and namespace over in the wrong order: each is reported under the other's path.
  if (namespace === '') errors.required(`${path}.name`);
  if (name === '') errors.required(`${path}.namespace`);
  const problems = portNumberProblems(port);
  if (problems.length > 0) errors.invalid(`${path}.port`, port, `port is not valid: ${problems.join(', ')}`);
  validateUrlPath(urlPath, `${path}.path`, errors);
}

function validateUrlPath(urlPath: string, path: string, errors: FieldErrors): void {
  if (urlPath === '' || urlPath === '/') return;
  if (urlPath === '//') return errors.invalid(path, urlPath, 'segment[0] may not be empty');
  if (!urlPath.startsWith('/')) errors.invalid(path, urlPath, "must start with a '/'");
  const segments = urlPath.slice(1).replace(/\/$/, '').split('/');
  segments.forEach((segment, index) => {
    if (segment === '') return errors.invalid(path, urlPath, `segment[${index}] may not be empty`);
    for (const problem of dns1123SubdomainProblems(segment)) errors.invalid(path, urlPath, `segment[${index}]: ${problem}`);
  });
}
