// Which loops run beside the server, as ordinary clients of it.
import type { ApiServer } from '#app/api-server.ts';
import type { Log } from '#base/log.ts';
import { runRoleAggregation } from '#controllers/role-aggregation-controller.ts';

type Controller = (api: ApiServer, log: Log, signal: AbortSignal) => Promise<void>;

/** By the names of kube-controller-manager. */
const controllers: Readonly<Record<string, Controller>> = {
  'clusterrole-aggregation-controller': ({ client }, log, signal) => runRoleAggregation({ client, log, random: Math.random }, signal),
};

/** `*` means all, `name` this one, `-name` not this one. Resolves when `signal` has aborted and all have stopped. */
export async function runControllers(chosen: readonly string[], api: ApiServer, log: Log, signal: AbortSignal): Promise<void> {
  const running = Object.entries(controllers).filter(([name]) => isOn(chosen, name));
  await Promise.all(running.map(([, run]) => run(api, log, signal)));
}

export function isOn(chosen: readonly string[], name: string): boolean {
  if (chosen.includes(`-${name}`)) return false;
  return chosen.includes(name) || chosen.includes('*');
}
