// Keeps the ConfigMap from which extension servers learn whom to believe: whoever edits or deletes it, this server's part comes back.
import type { KubernetesObject } from '#api/object.ts';
import { type Sources, sourceKey } from '#api/source.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { AuthenticationFacts } from '#controllers/bootstrap/authentication-data.ts';
import { authenticationMap, publishAuthentication } from '#controllers/bootstrap/server-objects.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';
import type { ConfigMap } from '#kinds/core/v1/config-map.ts';

export interface AuthenticationTrustOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  /** As of now: the files of authorities may change. */
  readonly facts: () => AuthenticationFacts;
}

export const authenticationKey = sourceKey(authenticationMap);

export function authenticationTrust({ client, sources, facts, ...parts }: AuthenticationTrustOptions): Controller {
  const maps = sources.of<ConfigMap & KubernetesObject>(kinds.configMaps);
  return controller({
    ...parts,
    name: 'cluster_authentication_trust_controller',
    sources: [keysOf(maps, (item) => (sourceKey(item) === authenticationKey ? [authenticationKey] : []))],
    reconcile: () => unlessOvertaken(publishAuthentication(client, facts())),
  });
}
