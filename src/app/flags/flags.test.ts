import { describe, expect, test } from 'vitest';
import { type FlagDefinition, parseFlags } from '#app/flags/flags.ts';

const definitions: readonly FlagDefinition[] = [
  { name: 'anonymous-auth', type: 'bool', default: true, section: 'x' },
  { name: 'secure-port', type: 'int', default: 6443, section: 'x' },
  { name: 'kubelet-port', type: 'uint', default: 1, section: 'x', deprecated: true },
  { name: 'goaway-chance', type: 'float', default: 0, section: 'x' },
  { name: 'request-timeout', type: 'duration', default: '1m0s', section: 'x' },
  { name: 'bind-address', type: 'ip', default: '0.0.0.0', section: 'x' },
  { name: 'service-node-port-range', type: 'portRange', default: '30000-32767', section: 'x' },
  { name: 'authorization-mode', type: 'strings', default: ['AlwaysAllow'], section: 'x' },
  { name: 'service-account-issuer', type: 'stringArray', default: [], section: 'x' },
  { name: 'runtime-config', type: 'map', default: {}, section: 'x' },
  { name: 'tls-sni-cert-key', type: 'namedCertKey', default: [], section: 'x' },
  { name: 'token-auth-file', type: 'string', default: '', section: 'x' },
  { name: 'version', type: 'version', default: 'false', section: 'x' },
  { name: 'v', type: 'level', default: 0, section: 'x', shorthand: 'v' },
];

const parse = (...argv: string[]) => parseFlags(definitions, argv).flags;

describe('a flag', () => {
  test('takes its value after = or as the next word', () => {
    expect(parse('--secure-port=1').number('secure-port')).toBe(1);
    expect(parse('--secure-port', '2').number('secure-port')).toBe(2);
    expect(parse('--token-auth-file=a=b').text('token-auth-file')).toBe('a=b');
    expect(parse('--token-auth-file', '--x').text('token-auth-file')).toBe('--x');
    expect(parse('-v=4').number('v')).toBe(4);
    expect(parse('-v', '4').number('v')).toBe(4);
  });

  test('may be written with underscores', () => {
    expect(parse('--secure_port=1').number('secure-port')).toBe(1);
  });

  test('has its default when it is not given', () => {
    const flags = parse();
    expect([flags.number('secure-port'), flags.boolean('anonymous-auth'), flags.list('authorization-mode'), flags.durationMs('request-timeout')]).toEqual([
      6443,
      true,
      ['AlwaysAllow'],
      60_000,
    ]);
    expect(flags.isGiven('secure-port')).toBe(false);
    expect(parse('--secure-port=6443').isGiven('secure-port')).toBe(true);
  });

  test('that is a switch needs no value, and takes one only after =', () => {
    expect(parse('--anonymous-auth').boolean('anonymous-auth')).toBe(true);
    expect(parse('--anonymous-auth=false').boolean('anonymous-auth')).toBe(false);
    expect(parseFlags(definitions, ['--anonymous-auth', 'false']).positional).toEqual(['false']);
    expect(parse('--version').text('version')).toBe('true');
    expect(parse('--version=raw').text('version')).toBe('raw');
  });

  test('that is a list grows when repeated and splits at commas', () => {
    expect(parse('--authorization-mode=Node,RBAC', '--authorization-mode=Webhook').list('authorization-mode')).toEqual(['Node', 'RBAC', 'Webhook']);
    expect(parse('--authorization-mode="a,b",c').list('authorization-mode')).toEqual(['a,b', 'c']);
    expect(parse('--authorization-mode=').list('authorization-mode')).toEqual([]);
    expect(parse('--service-account-issuer=a,b', '--service-account-issuer=c').list('service-account-issuer')).toEqual(['a,b', 'c']);
  });

  test('that is a map merges when repeated', () => {
    expect(parse('--runtime-config=api/all=true,apps/v1=false', '--runtime-config=x').map('runtime-config')).toEqual({
      'api/all': 'true',
      'apps/v1': 'false',
      x: '',
    });
  });

  test('that is a range of ports may be written in three ways', () => {
    expect(['1-5', '1+4', '7'].map((text) => parse(`--service-node-port-range=${text}`).text('service-node-port-range'))).toEqual(['1-5', '1-5', '7-7']);
  });

  test('on its way out is named', () => {
    expect(parse('--kubelet-port=1', '--secure-port=1').deprecated()).toEqual(['kubelet-port']);
  });
});

test('everything after -- and every bare word is positional', () => {
  expect(parseFlags(definitions, ['a', '--secure-port', '1', '--', '--nope']).positional).toEqual(['a', '--nope']);
});

test.each([
  [['--nope'], 'unknown flag: --nope'],
  [['--nope=1'], 'unknown flag: --nope'],
  [['-x'], "unknown shorthand flag: 'x' in -x"],
  [['---a'], 'bad flag syntax: ---a'],
  [['--=x'], 'bad flag syntax: --=x'],
  [['--secure-port'], 'flag needs an argument: --secure-port'],
  [['--secure-port=abc'], 'invalid argument "abc" for "--secure-port" flag: strconv.ParseInt: parsing "abc": invalid syntax'],
  [['--v=x'], 'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax'],
  [['--anonymous-auth=maybe'], 'invalid argument "maybe" for "--anonymous-auth" flag: strconv.ParseBool: parsing "maybe": invalid syntax'],
  [['--request-timeout=5'], 'invalid argument "5" for "--request-timeout" flag: time: missing unit in duration "5"'],
  [['--request-timeout=x'], 'invalid argument "x" for "--request-timeout" flag: time: invalid duration "x"'],
  [['--bind-address=x'], 'invalid argument "x" for "--bind-address" flag: failed to parse IP: "x"'],
  [['--service-node-port-range=abc'], 'invalid argument "abc" for "--service-node-port-range" flag: strconv.Atoi: parsing "abc": invalid syntax'],
  [['--tls-sni-cert-key=a'], 'invalid argument "a" for "--tls-sni-cert-key" flag: expected comma separated certificate and key file paths'],
])('%j is refused in the words of the original', (argv, message) => {
  expect(() => parseFlags(definitions, argv)).toThrow(message);
});
