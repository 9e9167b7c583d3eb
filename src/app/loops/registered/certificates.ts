import { readFileSync } from 'node:fs';
import { ownAuthority } from '#app/certificates/certificates.ts';
import type { FlagValues } from '#app/flags/flags.ts';
import type { BuildController } from '#app/loops/registration.ts';
import { parsePrivateKey } from '#base/x509.ts';
import { parseCertificates } from '#base/pki/certificate.ts';
import { commonNameOf } from '#base/pki/distinguished-name.ts';
import { approvingController } from '#controllers/certificates/approving-controller.ts';
import { signingRequestCleaner } from '#controllers/certificates/cleaner-controller.ts';
import { type Authority, signingController } from '#controllers/certificates/signing-controller.ts';
import type { PemPair } from '#app/certificates/pem-folder.ts';

export const buildApprovingController: BuildController = ({ server: { reads }, loops, client }) =>
  approvingController({ ...loops, client, sources: reads.sources });

export const buildSigningRequestCleaner: BuildController = ({ server: { reads }, loops, client }) =>
  signingRequestCleaner({ ...loops, client, sources: reads.sources, clock: reads.clock });

/** Where the authority of clients was given without the flags of the original for its key, the key is somebody else's: this server signs nothing. */
export const buildSigningController: BuildController = ({ server: { reads, options }, loops, client }) => {
  const pair = () => givenAuthority(options.flags) ?? ownAuthority(options);
  if (pair() === undefined) return undefined;
  const authority = () => authorityOf(pair() as PemPair);
  return signingController({ ...loops, client, sources: reads.sources, clock: reads.clock, authority });
};

function givenAuthority(flags: FlagValues): PemPair | undefined {
  const [cert, key] = [flags.text('cluster-signing-cert-file'), flags.text('cluster-signing-key-file')];
  return cert === '' || key === '' ? undefined : { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

function authorityOf({ cert, key }: PemPair): Authority {
  const [certificate] = parseCertificates(cert);
  if (certificate === undefined) throw new Error('the authority has no certificate');
  return {
    subject: { commonName: commonNameOf(certificate.subject) },
    privateKey: parsePrivateKey(key),
    notAfter: certificate.notAfter,
    certified: certificate,
  };
}
