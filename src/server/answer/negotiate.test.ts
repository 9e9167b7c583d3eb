import { describe, expect, test } from 'vitest';
import {
  customObjectOffer,
  formatOfBody,
  negotiate,
  negotiateOrJson,
  objectOffer,
  type Offer,
  plainOffer,
  refuseUnknownAccept,
  resourceOffers,
  wantsPretty,
} from '#server/answer/negotiate.ts';

const { watch: watchOffer } = resourceOffers(undefined);
const onlyThese = 'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf';

function chosen(accept: string | undefined, offer: Offer = objectOffer): string {
  const { format, as, pretty, stream } = negotiate({ headers: { accept }, query: new URLSearchParams() }, offer);
  return [format, as && `${as.kind}.${as.version}.${as.group}`, pretty && 'pretty', stream && 'stream'].filter(Boolean).join(' ');
}

describe('the form of an answer', () => {
  test.each([
    [undefined, 'json'],
    ['', 'json'],
    ['*/*', 'json'],
    ['application/json', 'json'],
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf', 'protobuf'],
    ['application/vnd.kubernetes.protobuf,application/json', 'protobuf'],
    ['application/vnd.kubernetes.protobuf;q=0.1,application/json', 'json'],
    ['application/json;q=0.5,application/yaml;q=0.9', 'yaml'],
    ['  application/json ,  application/yaml', 'json'],
    ['text/html,application/json', 'json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['application/json;foo=bar', 'json'],
    ['application/json,,,', 'json'],
    ['application/json;pretty=1', 'json pretty'],
    ['application/json;stream=watch', 'json stream'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io', 'json Table.v1.meta.k8s.io'],
    ['application/json;as=Table;v=v1beta1;g=meta.k8s.io', 'json Table.v1beta1.meta.k8s.io'],
    ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json', 'json Table.v1.meta.k8s.io'],
    ['application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1;g=meta.k8s.io', 'json Table.v1.meta.k8s.io'],
    ['application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', 'protobuf PartialObjectMetadata.v1.meta.k8s.io'],
  ])('for Accept %j is %s', (accept, expected) => {
    expect(chosen(accept)).toBe(expected);
  });

  test.each([
    'application/json;as=Table;v=v3;g=meta.k8s.io',
    'application/json;as=Table;v=v1;g=apps',
    'application/json;as=Foo;v=v1;g=meta.k8s.io',
    'application/json;g=meta.k8s.io;v=v1',
    'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    'application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io',
    'application/json;stream=nonsense',
    'text/html',
    '/',
  ])('is refused for Accept %s', (accept) => {
    expect(() => chosen(accept)).toThrow(onlyThese);
  });

  test('of a watch is never YAML, and the refusal names the stream forms', () => {
    expect(chosen('application/json', watchOffer)).toBe('json');
    expect(chosen('application/vnd.kubernetes.protobuf;stream=watch', watchOffer)).toBe('protobuf stream');
    expect(() => chosen('application/yaml', watchOffer)).toThrow(
      'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    );
  });

  test('of a custom resource is protobuf only as metadata', () => {
    expect(chosen('application/vnd.kubernetes.protobuf,application/json', customObjectOffer)).toBe('json');
    expect(chosen('application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io', customObjectOffer)).toContain('PartialObjectMetadata');
    expect(() => chosen('application/vnd.kubernetes.protobuf', customObjectOffer)).toThrow(onlyThese);
  });

  test('of an error is indented JSON when nothing else can be agreed upon', () => {
    const wishes = (accept: string) => ({ headers: { accept }, query: new URLSearchParams() });
    expect(negotiateOrJson(wishes('text/html'))).toMatchObject({ format: 'json', pretty: true });
    expect(negotiateOrJson(wishes('application/yaml'))).toMatchObject({ format: 'yaml' });
    expect(negotiateOrJson(wishes('application/json;as=Table;v=v1;g=meta.k8s.io,application/json'))).toMatchObject({ format: 'json', pretty: false });
    expect(chosen('application/json;as=Table;v=v1;g=meta.k8s.io,application/json', plainOffer)).toBe('json');
  });
});

describe('the first look at Accept', () => {
  const look =
    (accept: string, kind: 'single' | 'collection' = 'single') =>
    () =>
      refuseUnknownAccept({ headers: { accept }, query: new URLSearchParams() }, kind);

  test.each(['', '*/*', 'application/json', 'text/html, application/yaml;q=0.1', 'application/json;as=Foo'])('lets %j pass', (accept) => {
    expect(look(accept)).not.toThrow();
  });

  test.each(['text/html', 'application/*', 'text/*', '*', 'Application/JSON', 'application/x-yaml', 'application/cbor', '/'])('refuses %s', (accept) => {
    expect(look(accept)).toThrow('406: Not Acceptable\n\nAvailable representations: application/json, application/yaml, application/vnd.kubernetes.protobuf');
  });

  test('names the stream forms for collections', () => {
    expect(look('text/html', 'collection')).toThrow(/protobuf, application\/json;stream=watch, application\/vnd\.kubernetes\.protobuf;stream=watch$/);
  });
});

describe('the form of a body', () => {
  test.each([
    [undefined, 'json'],
    ['', 'json'],
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    ['application/yaml', 'yaml'],
    ['application/vnd.kubernetes.protobuf', 'protobuf'],
  ])('for Content-Type %j is %s', (contentType, format) => {
    expect(formatOfBody({ 'content-type': contentType })).toBe(format);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json, application/yaml', 'nonsense', ';'])('%s is unknown', (contentType) => {
    expect(() => formatOfBody({ 'content-type': contentType })).toThrow(
      'the body of the request was in an unknown format - accepted media types include: application/json',
    );
  });
});

test.each([
  ['', 'kubectl/v1.36', false],
  ['', 'curl/8.0', true],
  ['', 'Wget/1.21', true],
  ['', 'Mozilla/5.0 (X11)', true],
  ['pretty=true', 'kubectl', true],
  ['pretty=1', 'kubectl', true],
  ['pretty=false', 'curl/8.0', false],
  ['pretty=0', 'curl/8.0', false],
  ['pretty=maybe', 'curl/8.0', false],
  ['pretty=', 'curl/8.0', true],
])('?%s from %s is indented: %s', (query, agent, expected) => {
  expect(wantsPretty({ headers: { 'user-agent': agent }, query: new URLSearchParams(query) })).toBe(expected);
});
