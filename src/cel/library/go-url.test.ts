import { expect, test } from 'vitest';
import { escapedPathOf, formatUrl, type GoUrl, hostnameOf, hostOf, parseRequestUri, parseUrl, portOf, queryOf, schemeOf } from '#cel/library/go-url.ts';

// Every expectation was asked of Go's net/url through the real library.
test.each([
  ['', 'empty url'],
  ['../relative', 'invalid URI for request'],
  [':foo', 'missing protocol scheme'],
  ['http://a\u0001b', 'net/url: invalid control character in URL'],
  ['https://[1.2.3.4]/', 'invalid IP-literal'],
  ['https://a[::1]/', 'invalid IP-literal'],
  ['https://[::1/', "missing ']' in host"],
  ['https://[::1]:8a/', 'invalid port ":8a" after host'],
  ['http://a:b:c/', 'invalid port ":b:c" after host'],
  ['http://exa mple.com/', 'invalid character " " in host name'],
  ['http://ex%41mple.com/', 'invalid URL escape "%41"'],
  ['http://x/%', 'invalid URL escape "%"'],
  ['https://kubernetes.io/§%zé', 'invalid URL escape "%z\\xc3"'],
  ['https://us er@h/', 'net/url: invalid userinfo'],
])('%s is no request URI: %s', (text, problem) => {
  const quoted = text.includes('\u0001') ? '"http://a\\x01b"' : `"${text}"`;
  expect(parseRequestUri(text)).toEqual({ ok: false, problem: `parse ${quoted}: ${problem}` });
});

test.each([
  ['https://user:pa%20ss@example.com:80/path%2Fx/a b?query=val#frag', ['https', 'example.com:80', 'example.com', '80', '/path/x/a%20b']],
  ['https://[fe80::1%25en0]:80/x', ['https', '[fe80::1%en0]:80', 'fe80::1%en0', '80', '/x']],
  ['ftp://a:b:80/', ['ftp', 'a:b:80', 'a:b', '80', '/']],
  ['http://é.com/ü', ['http', 'é.com', 'é.com', '', '/%C3%BC']],
  ["http://a/%5B[]!$&'()*+,;=:@", ['http', 'a', 'a', '', "/%5B[]!$&'()*+,;=:@"]],
  ['mailto:a@b.c', ['mailto', '', '', '', '']],
  ['/absolute/path', ['', '', '', '', '/absolute/path']],
  ['*', ['', '', '', '', '*']],
])('%s has these parts', (text, parts) => {
  const parsed = url(text);
  expect([schemeOf, hostOf, hostnameOf, portOf, escapedPathOf].map((part) => part(parsed))).toEqual(parts);
});

test('parameters that cannot be read are left out of the query', () => {
  const query = queryOf(url('/path?x=1&x=2&y=%zz&z;=1&w&%C3%A4=a+b'));
  expect([...query]).toEqual([
    ['x', ['1', '2']],
    ['w', ['']],
    ['ä', ['a b']],
  ]);
});

test.each(['https://u:p%40@h:1/a%2Fb?q#f', 'mailto:a@b.c', 'https:/x', 'http:///x', 'https://a/?', '//host/path'])('%s prints as it was read', (text) => {
  expect(formatUrl(url(text))).toBe(text);
});

function url(text: string): GoUrl {
  const result = parseUrl(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}
