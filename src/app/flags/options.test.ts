import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { helpText } from '#app/flags/help.ts';
import { storeKind } from '#app/open-store.ts';
import { allFlags, flagsOf, parseOptions } from '#app/flags/options.ts';

const parse = (...argv: string[]) => parseOptions(argv, { homeDir: '/home/x' });

describe('the options of a server', () => {
  test('without flags are a durable, secured server in the home directory', () => {
    expect(parse()).toMatchObject({
      dataDir: '/home/x/.binnacle',
      memory: false,
      securePort: 6443,
      bindAddress: '0.0.0.0',
      authorizationModes: ['Node', 'RBAC'],
      serviceClusterIpRanges: ['10.0.0.0/24'],
      serviceNodePorts: { from: 30000, to: 32767 },
      requestTimeoutMs: 60_000,
      http2: { enabled: true, streamsPerConnection: 100 },
      controllers: ['*'],
    });
  });

  test('follow the flags', () => {
    expect(
      parse(
        '--data-dir=/d',
        '--memory',
        '--controllers=',
        '--feature-gates=A=true,kube:B=false,other:C=true',
        '--runtime-config=api/all=true,x',
        '--event-ttl=5m',
      ),
    ).toMatchObject({
      dataDir: '/d',
      memory: true,
      controllers: [],
      featureGates: { A: 'true', B: 'false' },
      runtimeConfig: 'api/all=true,x',
      eventTtlSeconds: 300,
    });
  });

  test('take every flag of the reference server', () => {
    const options = parse(
      '--requestheader-allowed-names',
      'front-proxy',
      '--service-cluster-ip-range=10.96.0.0/16,fd00::/108',
      '--http2-max-streams-per-connection=7',
    );
    expect(options.authentication.requestHeader.allowedNames).toEqual(['front-proxy']);
    expect(options.serviceClusterIpRanges).toEqual(['10.96.0.0/16', 'fd00::/108']);
    expect(options.http2.streamsPerConnection).toBe(7);
  });

  test('refuse what would silently mean something else', () => {
    expect(() => parse('--service-account-signing-endpoint=/run/x.sock')).toThrow('tokens are signed by this server itself');
    expect(() => parse('--controllers=*,-namespaces')).toThrow('"namespaces" is not in the list of known controllers');
    expect(() => parse('serve')).toThrow('"binnacle" does not take any arguments, got ["serve"]');
  });
});

test('help names every flag, and as kube-apiserver none that the original has lost', () => {
  const text = helpText('binnacle', allFlags);
  for (const { name } of allFlags) expect(text).toContain(`--${name}`);
  expect(helpText('kube-apiserver', flagsOf('kube-apiserver'))).not.toContain('--insecure-port');
});

describe('started as kube-apiserver', () => {
  const original = (...argv: string[]) => parseOptions(argv, { homeDir: '/home/x', program: 'kube-apiserver' });

  test('everything is allowed to those who are known, and to nobody else', () => {
    expect(original().authorizationModes).toEqual(['AlwaysAllow']);
    expect(original().authentication.anonymous).toBe(false);
    expect(original('--authorization-mode=RBAC').authorizationModes).toEqual(['RBAC']);
    expect(original('--authorization-mode=RBAC').authentication.anonymous).toBe(true);
    expect(original('--authorization-config=/x').authentication.anonymous).toBe(true);
  });

  test('controllers end what would stay for ever, and no other one touches what a test makes', () => {
    const finishing = ['namespace-controller', 'garbage-collector-controller', 'clusterrole-aggregation-controller'];
    expect(original().controllers).toEqual([...finishing, 'serviceaccount-controller']);
    expect(original('--disable-admission-plugins=ServiceAccount').controllers).toEqual(finishing);
    expect(original('--controllers=*').controllers).toEqual(['*']);
    expect(original('--controllers=').controllers).toEqual([]);
  });

  test('certificates are in its folder, and the home directory is left alone', () => {
    expect(original()).toMatchObject({ dataDir: '', tls: { certDir: '/var/run/kubernetes' } });
    expect(original('--data-dir=/d')).toMatchObject({ dataDir: '/d', tls: { certDir: '' } });
  });

  test('it needs an etcd, knows no insecure port and calls itself by its name', async () => {
    await expect(storeKind(original())).rejects.toThrow('--etcd-servers must be specified');
    expect(original('--etcd-servers=http://127.0.0.1:2379')).toMatchObject({ memory: false, etcdServers: ['http://127.0.0.1:2379'] });
    expect(() => original('--insecure-port=0')).toThrow('unknown flag: --insecure-port');
    expect(() => original('serve')).toThrow('"kube-apiserver" does not take any arguments');
  });
});

const reference = new URL('../../../../shared/reference/flags.json', import.meta.url);

test.skipIf(!existsSync(reference))('every flag of the original is known, with its default (needs ../shared)', () => {
  const original = JSON.parse(readFileSync(reference, 'utf8')) as { name: string; default: unknown; deprecated?: boolean }[];
  const known = new Map(allFlags.map((flag) => [flag.name, flag]));
  const compared = original.filter(({ name }) => name !== 'feature-gates');
  expect(compared.map(({ name }) => [name, known.get(name)?.default, known.get(name)?.deprecated ?? false])).toEqual(
    compared.map(({ name, default: initially, deprecated = false }) => [name, initially ?? '', deprecated]),
  );
});
