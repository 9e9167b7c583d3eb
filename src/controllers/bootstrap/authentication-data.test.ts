import { describe, expect, test } from 'vitest';
import { authenticationData, type AuthenticationFacts, UnreadableAuthenticationError } from '#controllers/bootstrap/authentication-data.ts';
import { TestAuthority } from '../../../test/support/test-pki.ts';

const [clients, proxies, others] = [new TestAuthority('clients'), new TestAuthority('proxies'), new TestAuthority('others')];
const requestHeader = {
  clientCa: proxies.cert,
  allowedNames: ['front-proxy'],
  usernameHeaders: ['X-Remote-User'],
  groupHeaders: ['X-Remote-Group'],
  uidHeaders: [],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};
const facts: AuthenticationFacts = { clientCa: clients.cert, requestHeader, now: () => new Date() };
const own = {
  'client-ca-file': clients.cert,
  'requestheader-allowed-names': '["front-proxy"]',
  'requestheader-client-ca-file': proxies.cert,
  'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  'requestheader-group-headers': '["X-Remote-Group"]',
  'requestheader-username-headers': '["X-Remote-User"]',
};

describe('what extension servers are told', () => {
  test('is all that counts here', () => {
    expect(authenticationData({}, facts)).toEqual(own);
    expect(authenticationData(own, facts)).toEqual(own);
  });

  test('keeps what other servers have told, and nothing that nobody knows', () => {
    const stored = {
      'client-ca-file': others.cert,
      'requestheader-allowed-names': '["theirs","front-proxy"]',
      'requestheader-uid-headers': '["X-Uid"]',
      extra: 'x',
    };
    expect(authenticationData(stored, facts)).toEqual({
      ...own,
      'client-ca-file': `${others.cert}${clients.cert}`,
      'requestheader-allowed-names': '["theirs","front-proxy"]',
      'requestheader-uid-headers': '["X-Uid"]',
    });
  });

  test('says nothing of headers without an authority of proxies', () => {
    const noProxies = { ...facts, requestHeader: { ...requestHeader, clientCa: '' } };
    expect(authenticationData({ 'requestheader-allowed-names': '["theirs"]' }, noProxies)).toEqual({ 'client-ca-file': clients.cert });
    expect(authenticationData({}, { ...noProxies, clientCa: '' })).toEqual({});
  });

  test('drops authorities that have expired', () => {
    const late = { ...facts, now: () => new Date(Date.now() + 1_000 * 365 * 86_400_000) };
    expect(authenticationData({ 'client-ca-file': others.cert }, late)).toEqual({});
  });

  test.each([
    ['client-ca-file', 'garbage'],
    ['requestheader-client-ca-file', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
    ['requestheader-group-headers', 'not JSON'],
    ['requestheader-allowed-names', '"a"'],
    ['requestheader-allowed-names', '[1]'],
  ])('is not guessed when what is stored cannot be read: %s %s', (key, value) => {
    expect(() => authenticationData({ ...own, [key]: value }, facts)).toThrow(UnreadableAuthenticationError);
  });
});
