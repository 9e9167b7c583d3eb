// What a URL asks for. Pure: everything above the transport reads this, never the URL.

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
