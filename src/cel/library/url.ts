// kubernetes.urls: URLs, read as Go reads them.
import { declare, global, member, noSuchOverload } from '#cel/library/declare.ts';
import { escapedPathOf, formatUrl, type GoUrl, hostnameOf, hostOf, parseRequestUri, parseUrl, portOf, queryOf, schemeOf } from '#cel/library/go-url.ts';
import type { Library } from '#cel/library.ts';
import { MapOfTexts } from '#cel/library/map-of-texts.ts';
import { boolType, listType, mapType, objectType, stringType } from '#cel/type.ts';
import { CelError, type CelObject, type CelValue } from '#cel/value.ts';

export const urlType = objectType('kubernetes.URL');

export class UrlValue implements CelObject {
  readonly kind = 'object';
  readonly typeName = urlType.name;
  readonly url: GoUrl;
  constructor(url: GoUrl) {
    this.url = url;
  }
  equals(other: CelValue): boolean {
    return other instanceof UrlValue ? formatUrl(this.url) === formatUrl(other.url) : noSuchOverload();
  }
}

export const urlLibrary: Library = {
  name: 'kubernetes.urls',
  introduced: 0,
  functions: [
    declare('url', global('string_to_url', [stringType], urlType, toUrl)),
    declare(
      'isURL',
      global('is_url_string', [stringType], boolType, (text: string) => parseRequestUri(text).ok),
    ),
    declare(
      'getScheme',
      member('url_get_scheme', [urlType], stringType, ({ url }: UrlValue) => schemeOf(url)),
    ),
    declare(
      'getHost',
      member('url_get_host', [urlType], stringType, ({ url }: UrlValue) => hostOf(url)),
    ),
    declare(
      'getHostname',
      member('url_get_hostname', [urlType], stringType, ({ url }: UrlValue) => hostnameOf(url)),
    ),
    declare(
      'getPort',
      member('url_get_port', [urlType], stringType, ({ url }: UrlValue) => portOf(url)),
    ),
    declare(
      'getEscapedPath',
      member('url_get_escaped_path', [urlType], stringType, ({ url }: UrlValue) => escapedPathOf(url)),
    ),
    declare(
      'getQuery',
      member('url_get_query', [urlType], mapType(stringType, listType(stringType)), ({ url }: UrlValue) => new MapOfTexts(queryOf(url))),
    ),
  ],
};

/** Must be absolute or a path from the root, then is read anew, since ParseRequestURI takes a fragment for path or query. */
function toUrl(text: string): UrlValue {
  const strict = parseRequestUri(text);
  const url = strict.ok ? parseUrl(text) : strict;
  if (!url.ok) throw new CelError(`URL parse error during conversion from string: ${url.problem}`);
  return new UrlValue(url.value);
}
