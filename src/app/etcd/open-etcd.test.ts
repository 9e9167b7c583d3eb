import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openEtcd } from '#app/etcd/open-etcd.ts';
import { parseOptions } from '#app/flags/options.ts';
import { systemClock } from '#base/clock.ts';
import type { Store } from '#store/store.ts';
import { hasEtcd, type RealEtcd, startEtcd, withoutEtcd } from '../../../test/support/real-etcd.ts';
import { TestAuthority, type TestPair } from '../../../test/support/test-pki.ts';

const hour = 3_600_000;
const [authority, other] = [new TestAuthority('etcd-ca'), new TestAuthority('another-ca')];
const known = authority.issue({ commonName: 'kube-apiserver' }, { usage: 'client' });
const files = mkdtempSync(join(tmpdir(), 'binnacle-etcd-tls-'));
afterAll(() => rmSync(files, { recursive: true, force: true }));

function file(folder: string, name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function open(urls: readonly string[], ca: string | undefined, client: Partial<TestPair>, folder = mkdtempSync(join(files, 'of-'))): Promise<Store> {
  const options = parseOptions(
    [
      `--etcd-servers=${urls.join(',')}`,
      ...(ca === undefined ? [] : [`--etcd-cafile=${file(folder, 'ca.crt', ca)}`]),
      ...(client.cert === undefined ? [] : [`--etcd-certfile=${file(folder, 'client.crt', client.cert)}`]),
      ...(client.key === undefined ? [] : [`--etcd-keyfile=${file(folder, 'client.key', client.key)}`]),
    ],
    { homeDir: folder },
  );
  return openEtcd(options, systemClock);
}

describe('files of TLS to etcd', () => {
  const nowhere = ['https://127.0.0.1:1'];

  test('that are not there, hold something else or do not belong together are refused by name', async () => {
    await expect(open(nowhere, undefined, { cert: known.cert })).rejects.toThrow('--etcd-certfile and --etcd-keyfile must be given together');
    await expect(open(nowhere, 'something else', known)).rejects.toThrow(/^--etcd-cafile: .*ca.crt: /);
    await expect(open(nowhere, authority.cert, { ...known, cert: 'something else' })).rejects.toThrow(/^--etcd-certfile: .*client.crt: /);
    const foreign = { ...known, key: other.issue({ commonName: 'x' }, { usage: 'client' }).key };
    await expect(open(nowhere, authority.cert, foreign)).rejects.toThrow(
      /^--etcd-keyfile: .*client.key, for the certificate in .*client.crt: .*key values mismatch/,
    );
    const absent = parseOptions([`--etcd-servers=${nowhere}`, '--etcd-cafile=/nowhere/ca.crt'], { homeDir: files });
    await expect(openEtcd(absent, systemClock)).rejects.toThrow('--etcd-cafile: /nowhere/ca.crt: ENOENT');
  });
});

describe.skipIf(!hasEtcd)(`a real etcd that wants client certificates ${hasEtcd ? '' : withoutEtcd}`, () => {
  let etcd: RealEtcd;
  beforeAll(async () => {
    const server = authority.issue({ commonName: 'etcd' }, { usage: 'server', names: ['127.0.0.1'] });
    etcd = await startEtcd({ tls: { server, clientCa: authority.cert, probe: known } });
  });
  afterAll(() => etcd?.[Symbol.asyncDispose]());

  test('is spoken to with one that it knows', async () => {
    const store = await open([etcd.url], authority.cert, known);
    onTestFinished(() => store.close());
    expect((await store.compareAndSet('/registry/a', 0, Buffer.from('one'))).committed).toBe(true);
    expect(String((await store.get('/registry/a'))?.value)).toBe('one');
  });

  test.concurrent.each([
    [
      'its own authority is unknown to us',
      other.cert,
      known,
      '--etcd-cafile: etcd at URL has a certificate that is not accepted: unable to verify the first certificate',
    ],
    ['no authority is given', undefined, known, '--etcd-cafile: etcd at URL has a certificate that is not accepted: unable to verify the first certificate'],
    ['there is no certificate', authority.cert, {}, '--etcd-certfile: etcd at URL does not accept our certificate: '],
    [
      'the certificate is of another authority',
      authority.cert,
      other.issue({ commonName: 'x' }, { usage: 'client' }),
      '--etcd-certfile: etcd at URL does not accept our certificate: ',
    ],
    [
      'the certificate has expired',
      authority.cert,
      authority.issue({ commonName: 'x' }, { usage: 'client', notBefore: new Date(Date.now() - 2 * hour), notAfter: new Date(Date.now() - hour) }),
      '--etcd-certfile: etcd at URL does not accept our certificate: ',
    ],
  ] as const)(
    'refuses the start at once, and says why, where %s',
    async (_, ca, client, message) => {
      await expect(open([etcd.url, etcd.url], ca, client)).rejects.toThrow(message.replace('URL', etcd.url));
    },
    15_000,
  );

  test('is taken for one that speaks no TLS where the port is of something else', async () => {
    const plain = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void plain.close());
    await once(plain, 'listening');
    const url = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
    await expect(open([url], authority.cert, known)).rejects.toThrow(`--etcd-servers: etcd at ${url} speaks no TLS: `);
  }, 15_000);
});

test.skipIf(!hasEtcd)(
  `a certificate that was renewed is used by the next connection ${hasEtcd ? '' : withoutEtcd}`,
  async () => {
    const renewed = new TestAuthority('next-ca');
    const server = (ca: TestAuthority) => ca.issue({ commonName: 'etcd' }, { usage: 'server', names: ['127.0.0.1'] });
    const next = renewed.issue({ commonName: 'kube-apiserver' }, { usage: 'client' });
    const etcd = await startEtcd({ tls: { server: server(authority), clientCa: authority.cert + renewed.cert, probe: next } });
    onTestFinished(() => etcd[Symbol.asyncDispose]());
    const folder = mkdtempSync(join(files, 'of-'));
    const store = await open([etcd.url], authority.cert, known, folder);
    onTestFinished(() => store.close());
    file(folder, 'client.crt', next.cert);
    file(folder, 'client.key', next.key);
    await etcd.kill();
    etcd.trust(renewed.cert);
    await etcd.start();
    expect(await store.revision()).toBe(1);
  },
  30_000,
);
