// How this server keeps the endpoints of the service `kubernetes`: --endpoint-reconciler-type.
import { FlagError } from '#app/flags/flags.ts';
import type { ServerOptions } from '#app/flags/options.ts';
import { aloneAt, byCount, byLeases, type ServerAddresses } from '#controllers/bootstrap/kubernetes-endpoints.ts';
import type { Places } from '#store/places.ts';

/** Undefined: the endpoints are left to somebody else. Leases are for servers that share a store: one that has it for itself knows who lives. */
export async function serverAddresses({ flags }: ServerOptions, own: string, isShared: boolean, places: Places): Promise<ServerAddresses | undefined> {
  const type = flags.text('endpoint-reconciler-type');
  if (type === 'none') return undefined;
  if (type === 'master-count') return byCount(own, flags.number('apiserver-count'));
  if (!isShared) return aloneAt(own);
  const { masterLeases } = await import('#app/etcd/server-leases.ts');
  return byLeases(own, masterLeases(places.of({ group: '', plural: 'apiserveripinfo' }).store));
}

export function refuseUnknownReconciler({ flags }: Pick<ServerOptions, 'flags'>): void {
  const type = flags.text('endpoint-reconciler-type');
  if (!['', 'lease', 'master-count', 'none'].includes(type)) throw new FlagError(`--endpoint-reconciler-type: ${type}: must be lease, master-count or none`);
  const count = flags.number('apiserver-count');
  if (count <= 0) throw new FlagError(`--apiserver-count should be a positive number, but value '${count}' provided`);
}
