import { describe, expect, test } from 'vitest';
import { isLongRunning, parseRequestInfo } from '#api/request-info.ts';
import { goQuote } from '#base/go-text.ts';

function infoOf(method: string, target: string) {
  const [path = '', search = ''] = target.split('?');
  return parseRequestInfo({ method, path, query: new URLSearchParams(search) });
}

function brief(method: string, target: string): string {
  const { verb, group, version, resource, subresource, namespace, name } = infoOf(method, target);
  return `${verb} ${group}/${version} ${namespace}:${resource}/${subresource}:${name}`;
}

describe('a resource request', () => {
  test.each([
    ['GET', '/api/v1/pods', 'list /v1 :pods/:'],
    ['GET', '/api/v1/namespaces/a/pods', 'list /v1 a:pods/:'],
    ['GET', '/api/v1/namespaces/a/pods/', 'list /v1 a:pods/:'],
    ['GET', '/api/v1/namespaces/a/pods/x', 'get /v1 a:pods/:x'],
    ['HEAD', '/api/v1/namespaces/a/pods/x', 'get /v1 a:pods/:x'],
    ['GET', '/api/v1/namespaces/a/pods/x/log', 'get /v1 a:pods/log:x'],
    ['POST', '/api/v1/namespaces/a/pods', 'create /v1 a:pods/:'],
    ['PUT', '/apis/apps/v1/namespaces/a/deployments/x/scale', 'update apps/v1 a:deployments/scale:x'],
    ['PATCH', '/apis/apps/v1/namespaces/a/deployments/x', 'patch apps/v1 a:deployments/:x'],
    ['DELETE', '/apis/apps/v1/namespaces/a/deployments/x', 'delete apps/v1 a:deployments/:x'],
    ['DELETE', '/apis/apps/v1/namespaces/a/deployments', 'deletecollection apps/v1 a:deployments/:'],
    ['OPTIONS', '/api/v1/pods', ' /v1 :pods/:'],
    ['GET', '/api/v1/nodes/n/proxy/a/b', 'get /v1 :nodes/proxy:n'],
    ['GET', '/api/v1//pods', 'get /v1 :/:pods'],
  ])('%s %s is %s', (method, target, expected) => {
    expect(brief(method, target)).toBe(expected);
  });

  test('names a namespace both as the object and as the scope', () => {
    expect(brief('GET', '/api/v1/namespaces/a')).toBe('get /v1 a:namespaces/:a');
    expect(brief('PUT', '/api/v1/namespaces/a/status')).toBe('update /v1 a:namespaces/status:a');
    expect(brief('PUT', '/api/v1/namespaces/a/finalize')).toBe('update /v1 a:namespaces/finalize:a');
    expect(brief('GET', '/api/v1/namespaces')).toBe('list /v1 :namespaces/:');
  });

  test('with an empty namespace element spans all namespaces', () => {
    expect(brief('GET', '/api/v1/namespaces//pods')).toBe('list /v1 :pods/:');
  });

  test('watches when the query or the path says so', () => {
    expect(infoOf('GET', '/api/v1/pods?watch=1').verb).toBe('watch');
    expect(infoOf('GET', '/api/v1/pods?watch=true').verb).toBe('watch');
    expect(infoOf('GET', '/api/v1/pods?watch=').verb).toBe('watch');
    expect(infoOf('GET', '/api/v1/pods?watch=false').verb).toBe('list');
    expect(infoOf('GET', '/api/v1/pods?watch=0').verb).toBe('list');
    expect(infoOf('GET', '/api/v1/namespaces/a/pods/x?watch=1').verb).toBe('get');
    expect(brief('GET', '/api/v1/watch/namespaces/a/pods/x')).toBe('watch /v1 a:pods/:x');
  });

  test('takes its name from a field selector that allows only one', () => {
    expect(infoOf('GET', '/api/v1/pods?fieldSelector=metadata.name%3Dx')).toMatchObject({ verb: 'list', name: 'x', fieldSelector: 'metadata.name=x' });
    expect(infoOf('GET', '/api/v1/pods?watch=1&fieldSelector=metadata.name=x')).toMatchObject({ verb: 'watch', name: 'x' });
    expect(infoOf('GET', '/api/v1/pods?fieldSelector=metadata.name!=x').name).toBe('');
    expect(infoOf('GET', '/api/v1/pods?fieldSelector=metadata.name=a/b').name).toBe('');
    expect(infoOf('GET', '/api/v1/pods?fieldSelector=metadata.name').name).toBe('');
    expect(infoOf('DELETE', '/api/v1/namespaces/a/pods?fieldSelector=metadata.name=x')).toMatchObject({ verb: 'deletecollection', name: '' });
  });

  test('keeps selectors for collections only', () => {
    expect(infoOf('GET', '/api/v1/pods?labelSelector=a=b')).toMatchObject({ labelSelector: 'a=b' });
    expect(infoOf('DELETE', '/api/v1/namespaces/a/pods?labelSelector=a=b')).toMatchObject({ labelSelector: 'a=b' });
    expect(infoOf('GET', '/api/v1/namespaces/a/pods/x?labelSelector=a=b')).toMatchObject({ labelSelector: '' });
    expect(infoOf('GET', '/api/v1/watch/pods?labelSelector=a=b')).toMatchObject({ verb: 'watch', labelSelector: '' });
  });

  test('is read from the decoded path', () => {
    expect(brief('GET', '/api/v1/namespaces/%61/pods/x')).toBe('get /v1 a:pods/:x');
    expect(brief('GET', '/api/v1/namespaces/a%2Fb/pods')).toBe('get /v1 a:b/:pods');
    expect(() => infoOf('GET', '/api/v1/%zz')).toThrow('invalid URL escape');
    expect(goQuote(infoOf('GET', '/api/v1/pods/%ff').name)).toBe('"\\xff"');
  });

  test('that stops at the word watch is refused', () => {
    expect(() => infoOf('GET', '/api/v1/watch')).toThrow('unable to determine kind and namespace from url, /api/v1/watch');
  });
});

describe('any other request', () => {
  test.each([
    ['GET', '/healthz', 'get'],
    ['POST', '/apis/apps/v1', 'post'],
    ['GET', '/api/v1', 'get'],
    ['GET', '/', 'get'],
    ['OPTIONS', '/openapi/v3/apis/apps/v1', 'options'],
  ])('%s %s is about the path', (method, path, verb) => {
    expect(infoOf(method, path)).toMatchObject({ isResource: false, verb, path, resource: '' });
  });
});

test('watches, proxies, logs and terminals run long', () => {
  const long = (method: string, target: string) => isLongRunning(infoOf(method, target));
  expect(long('GET', '/api/v1/pods?watch=1')).toBe(true);
  expect(long('GET', '/api/v1/namespaces/a/pods/x/log')).toBe(true);
  expect(long('POST', '/api/v1/namespaces/a/pods/x/exec')).toBe(true);
  expect(long('GET', '/api/v1/nodes/x/proxy/y')).toBe(true);
  expect(long('GET', '/debug/pprof/profile')).toBe(true);
  expect(long('GET', '/api/v1/pods')).toBe(false);
  expect(long('GET', '/healthz')).toBe(false);
});
