import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { kubeApiserverFlags } from '#app/flags/kube-apiserver-flags.ts';
import { parseOptions } from '#app/flags/options.ts';
import { givenWithoutEffect, withoutEffect } from '#app/flags/unserved-flags.ts';

const parse = (...argv: string[]) => parseOptions(argv, { homeDir: '/home/x' });

describe('flags that would leave the server less safe than it was told to be are refused', () => {
  test.each([
    ['--egress-selector-config-file=/x', 'without an egress selector'],
    ['--max-connection-bytes-per-sec=1000', 'does not throttle connections'],
    ['--enable-garbage-collector=false', 'always keeps what the garbage collector needs'],
    ['--emulated-version=1.35', 'behaves as version 1.36 only, not as 1.35'],
    ['--emulated-version=kube=1.35', 'not as kube=1.35'],
    ['--min-compatibility-version=1.34', 'behaves as version 1.36 only'],
    ['--storage-backend=etcd2', 'etcd3 is the only one'],
    ['--storage-media-type=application/yaml', 'must be application/vnd.kubernetes.protobuf or application/json'],
    ['--tls-curve-preferences=99', 'unknown curve'],
  ])('%s', (flag, sentence) => {
    expect(() => parse(flag)).toThrow(sentence);
    expect(() => parse(flag)).toThrow(flag.split('=')[0]);
  });

  test.each([
    '--encryption-provider-config=',
    '--max-connection-bytes-per-sec=0',
    '--enable-garbage-collector=true',
    '--emulated-version=kube=1.36',
    '--min-compatibility-version=1.36',
    '--emulated-version=other=1.2',
    '--tls-curve-preferences=29,23',
  ])('%s asks for nothing else than there is', (flag) => {
    expect(() => parse(flag)).not.toThrow();
  });
});

test('flags without effect are told, where they were given another value than they have anyway', () => {
  const { flags } = parse('--watch-cache=false', '--kubelet-timeout=9s', '--vmodule=', '--event-ttl=5m');
  expect(givenWithoutEffect(flags)).toEqual(['watch-cache', 'kubelet-timeout']);
});

test('every flag is read somewhere, or is told to have no effect', () => {
  const folder = new URL('..', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('kube-apiserver-flags.ts'),
  );
  const text = sources.map((file) => readFileSync(new URL(file, folder), 'utf8')).join('\n');
  const uses = (name: string) => text.split(`'${name}'`).length - 1;
  // The two backends of audit are read by one function, behind their prefix.
  const isRead = (name: string) => uses(name) > 0 || text.includes(`\${prefix}${name.replace(/^audit-(?:log|webhook)/, '')}\``);
  const told = new Set(withoutEffect);
  expect(withoutEffect.filter((name) => uses(name) > 0)).toEqual([]);
  expect(kubeApiserverFlags.map(({ name }) => name).filter((name) => !told.has(name) && !isRead(name))).toEqual([]);
});
