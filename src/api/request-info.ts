// What a URL asks for. Pure: everything above the transport reads this, never the URL.
import { textOfBytes } from '#base/byte-text.ts';
import { badRequest } from '#api/api-error.ts';
import { parseFieldSelector, requiredFieldValue } from '#api/field-selector.ts';

export interface RequestInfo {
  readonly isResource: boolean;
  /** create, get, list, watch, update, patch, delete, deletecollection, proxy; lower-cased method for non-resource paths. */
  readonly verb: string;
  readonly path: string;
  readonly prefix: 'api' | 'apis' | '';
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The path elements after the API version, without `watch` or `proxy`. */
  readonly parts: readonly string[];
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** What of a request decides its meaning; an Exchange is one. `query` is read only when the verb depends on it. */
export interface RequestLine {
  readonly method: string;
  /** Percent-encoded, as sent. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** On the path of every request: written without spreads and rest patterns, which cost several times as much (test/bench/front.ts). */
export function parseRequestInfo(request: RequestLine): RequestInfo {
  const path = decodePath(request.path);
  const parts = splitPath(path);
  const prefix = parts[0];
  if (prefix === 'api' && parts.length >= 3) return resourceInfo(request, { path, prefix, group: '', parts, version: 1 });
  if (prefix === 'apis' && parts.length >= 4) return resourceInfo(request, { path, prefix, group: parts[1] ?? '', parts, version: 2 });
  return { ...noResource, verb: request.method.toLowerCase(), path };
}

/** Requests without an end of their own: they know no deadline and no in-flight limit. */
export function isLongRunning({ isResource, verb, subresource, path }: RequestInfo): boolean {
  if (!isResource) return path.startsWith('/debug/pprof/');
  return verb === 'watch' || verb === 'proxy' || longRunningSubresources.has(subresource);
}

const longRunningSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);
const namespaceSubresources = new Set(['status', 'finalize']);
const verbOfMethod: Readonly<Record<string, string>> = { POST: 'create', GET: 'get', HEAD: 'get', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

const noResource: Omit<RequestInfo, 'verb' | 'path'> = {
  isResource: false,
  prefix: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
  parts: [],
  labelSelector: '',
  fieldSelector: '',
};

interface ApiPath {
  readonly path: string;
  readonly prefix: 'api' | 'apis';
  readonly group: string;
  readonly parts: readonly string[];
  /** Where in `parts` the version stands. */
  readonly version: number;
}

function resourceInfo(request: RequestLine, { path, prefix, group, parts: all, version }: ApiPath): RequestInfo {
  const special = specialVerb(all[version + 1]);
  if (special !== '' && all.length < version + 3) throw badRequest(`unable to determine kind and namespace from url, ${path}`);
  const start = special === '' ? version + 1 : version + 2;
  const namespace = all[start] === 'namespaces' ? at(all, start + 1) : '';
  const parts = all.slice(isInNamespace(all, start) ? start + 2 : start);
  const name = at(parts, 1);
  const verb = special || (verbOfMethod[request.method] ?? '');
  const asks =
    name === '' && (verb === 'get' || verb === 'delete') ? collectionInfo(verb, request.query) : { verb, name, labelSelector: '', fieldSelector: '' };
  return {
    isResource: true,
    verb: asks.verb,
    path,
    prefix,
    group,
    version: at(all, version),
    resource: at(parts, 0),
    subresource: special === 'proxy' ? '' : at(parts, 2),
    namespace,
    name: asks.name,
    parts,
    labelSelector: asks.labelSelector,
    fieldSelector: asks.fieldSelector,
  };
}

/** The old way to ask for a watch or a proxy: as the first element of the path. */
function specialVerb(first: string | undefined): 'watch' | 'proxy' | '' {
  return first === 'watch' || first === 'proxy' ? first : '';
}

/** `namespaces/x` is the namespace itself, `namespaces/x/pods` is about pods; status and finalize belong to the namespace. */
function isInNamespace(parts: readonly string[], start: number): boolean {
  return parts[start] === 'namespaces' && parts.length > start + 2 && !namespaceSubresources.has(at(parts, start + 2));
}

/** Selectors count for authorization, and a selector for one name makes that the name of the request. */
function collectionInfo(verb: 'get' | 'delete', query: URLSearchParams): Pick<RequestInfo, 'verb' | 'name' | 'labelSelector' | 'fieldSelector'> {
  const labelSelector = query.get('labelSelector') ?? '';
  const fieldSelector = query.get('fieldSelector') ?? '';
  if (verb === 'delete') return { verb: 'deletecollection', name: '', labelSelector, fieldSelector };
  return { verb: asksForWatch(query) ? 'watch' : 'list', name: selectedName(fieldSelector), labelSelector, fieldSelector };
}

function asksForWatch(query: URLSearchParams): boolean {
  const value = query.get('watch')?.toLowerCase();
  return value !== undefined && value !== 'false' && value !== '0';
}

function selectedName(fieldSelector: string): string {
  if (!fieldSelector.includes('metadata.name')) return '';
  try {
    const name = requiredFieldValue(parseFieldSelector(fieldSelector), 'metadata.name') ?? '';
    return isPathSegment(name) ? name : '';
  } catch {
    // A selector that cannot be read is refused later, by the verb.
    return '';
  }
}

function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name);
}

function at(parts: readonly string[], index: number): string {
  return parts[index] ?? '';
}

function splitPath(path: string): string[] {
  let start = 0;
  let end = path.length;
  while (path[start] === '/') start += 1;
  while (end > start && path[end - 1] === '/') end -= 1;
  return path.slice(start, end).split('/');
}

function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  if (/%(?![0-9a-fA-F]{2})/.test(path)) throw badRequest(`invalid URL escape in ${JSON.stringify(path)}`);
  try {
    return decodeURIComponent(path);
  } catch {
    // Escapes that are not UTF-8: refusals show the bytes.
    return textOfBytes(unescapedBytes(path));
  }
}

function unescapedBytes(path: string): Buffer {
  const bytes = Buffer.from(path);
  let length = 0;
  for (let at = 0; at < bytes.length; at++, length++) {
    const escaped = bytes[at] === 0x25;
    bytes[length] = escaped ? hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]) : (bytes[at] as number);
    if (escaped) at += 2;
  }
  return bytes.subarray(0, length);
}

/** Digits, then letters of either case. */
function hexDigit(code = 0): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}
