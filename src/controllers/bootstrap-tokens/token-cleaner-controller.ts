// Deletes bootstrap tokens when they have expired.
import { type Sources, sourceKey, splitKey } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import { kinds } from '#client/kinds.ts';
import type { RestClient } from '#client/rest-client.ts';
import { expiryOf, isBootstrapToken, type StoredSecret, tokenNamespace } from '#controllers/bootstrap-tokens/token-secrets.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';

export interface BootstrapTokenOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}

export function tokenCleaner(options: BootstrapTokenOptions): Controller {
  const { client, clock } = options;
  const secrets = options.sources.of<StoredSecret>(kinds.secrets);
  const reconcile = async (key: string) => {
    const { namespace, name } = splitKey(key);
    const secret = secrets.get(namespace, name)?.object;
    const expiry = secret && expiryOf(secret);
    if (expiry === undefined) return;
    const leftMs = expiry - clock.now().getTime();
    if (leftMs > 0) return { againMs: leftMs };
    await unlessOvertaken(client.delete(kinds.secrets, namespace, name, { preconditions: { uid: secret?.metadata.uid } }));
  };
  const sources = [keysOf(secrets, (item) => (item.namespace === tokenNamespace && isBootstrapToken(item.object) ? [sourceKey(item)] : []))];
  return controller({ ...options, name: 'token-cleaner-controller', sources, reconcile });
}
