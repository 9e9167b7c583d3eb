import type { KubernetesObject } from '#api/object.ts';
import type { BuildController } from '#app/loops/registration.ts';
import { signingKey, signJwt } from '#auth/authentication/jwt.ts';
import { secretsOfPodSpec } from '#auth/authorization/node-edges.ts';
import { tokenCleaner } from '#controllers/service-accounts/token-cleaner.ts';
import { tokenController } from '#controllers/service-accounts/token-controller.ts';
import type { Pod } from '#kinds/core/v1/pod/pod.ts';

export const buildTokenController: BuildController = ({ server: { reads, certificates }, loops, client }) => {
  const key = signingKey(certificates.serviceAccounts.signingKey);
  const rootCa = String(certificates.servingCa ?? '');
  return tokenController({ ...loops, client, sources: reads.sources, rootCa, sign: (claims) => signJwt(claims, key) });
};

export const buildTokenCleaner: BuildController = ({ server: { reads }, loops, client }) => {
  const secretsOfPod = (pod: KubernetesObject) => secretsOfPodSpec((pod as unknown as Pod).spec).filter((name) => name !== undefined);
  return tokenCleaner({ ...loops, client, sources: reads.sources, now: () => reads.clock.now(), secretsOfPod });
};
