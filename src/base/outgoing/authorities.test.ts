import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environmentOfUser, trusting } from '#base/outgoing/authorities.ts';

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'binnacle-authorities-')), 'ca.crt');
  writeFileSync(file, 'ours');
});
afterEach(() => rmSync(join(file, '..'), { recursive: true }));

test('authorities that were given are trusted alone', () => {
  expect(trusting('given', { BINNACLE_SSL_CERT_FILE: file })).toEqual({ ca: 'given' });
});

test('where node was not kept from reading them, its own defaults hold', () => {
  expect(trusting(undefined, { SSL_CERT_FILE: file })).toEqual({});
});

test.each(['BINNACLE_SSL_CERT_FILE', 'BINNACLE_NODE_EXTRA_CA_CERTS'])(
  'the file that the launcher keeps in %s is trusted beside what comes with node',
  (name) => {
    expect(trusting(undefined, { [name]: file })).toEqual({ ca: [...rootCertificates, 'ours'] });
    expect(trusting(undefined, { [name]: `${file}.missing` })).toEqual({ ca: [...rootCertificates] });
  },
);

test('programs that are started get the variables as the user has set them', () => {
  const launched = { PATH: '/bin', SSL_CERT_FILE: '/dev/null', BINNACLE_SSL_CERT_FILE: '', BINNACLE_NODE_EXTRA_CA_CERTS: '/extra' };
  expect(JSON.parse(JSON.stringify(environmentOfUser(launched)))).toEqual({ PATH: '/bin', NODE_EXTRA_CA_CERTS: '/extra' });
  const plain = { PATH: '/bin', SSL_CERT_FILE: '/mine' };
  expect(environmentOfUser(plain)).toBe(plain);
});
