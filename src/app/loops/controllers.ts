// Which loops of kube-controller-manager run beside the server, each as the user that it is there.
import { controllerManagerUser, schedulerUser, serviceAccountUser, type User } from '#api/user.ts';
import { FlagError } from '#app/flags/flags.ts';
import type { ListeningServer } from '#app/listening-server.ts';
import { type ControllerName, controllerChosen, controllerNamed } from '#app/loops/controller-names.ts';
import { type ElectedProgram, isElected, whileElected } from '#app/loops/elected.ts';
import { batchControllers } from '#app/loops/registered/batch.ts';
import { clusterControllers } from '#app/loops/registered/cluster.ts';
import { coreControllers } from '#app/loops/registered/core.ts';
import { nodeControllers } from '#app/loops/registered/nodes.ts';
import { scheduling } from '#app/loops/registered/scheduling.ts';
import { serviceControllers } from '#app/loops/registered/services.ts';
import { storageControllers } from '#app/loops/registered/storage.ts';
import { workloadControllers } from '#app/loops/registered/workloads.ts';
import type { Registration, Registrations } from '#app/loops/registration.ts';
import { nextTurn } from '#base/next-turn.ts';
import { pause } from '#base/timers.ts';
import type { Controller, LoopParts } from '#controllers/controller.ts';

const registered: Registrations = {
  ...batchControllers,
  ...clusterControllers,
  ...coreControllers,
  ...nodeControllers,
  ...serviceControllers,
  ...storageControllers,
  ...workloadControllers,
  ...scheduling,
};

/** A controller that is asked for by name must be part of this server. */
export function refuseAbsentControllers(chosen: readonly string[]): void {
  const absent = chosen.find((choice) => choice !== '*' && !choice.startsWith('-') && !isRegistered(choice));
  if (absent !== undefined) throw new FlagError(`--controllers: this server has no ${absent}; it has ${Object.keys(registered).join(', ')}`);
}

function isRegistered(choice: string): boolean {
  const name = controllerNamed(choice);
  return name !== undefined && registered[name] !== undefined;
}

/** Who has waited for the server comes first: controllers have their caches to fill. */
const afterReadyMs = 100;

type Chosen = readonly (readonly [ControllerName, Registration])[];

/**
 * `*` means all that are on by default, `name` this one, `-name` not this one. Each begins in a turn of its own, so that clients are answered in
 * between. Resolves when all have begun, or the server's signal has aborted, with which they end; where a leader is elected, when it stands for election.
 */
export async function beginControllers(server: ListeningServer, loops: LoopParts): Promise<void> {
  const all: Chosen = Object.entries(registered) as unknown as Chosen;
  const running = all.filter(([name, { isOffByDefault }]) => isOn(server.options.controllers, name, isOffByDefault));
  await pause(loops.timers, afterReadyMs, server.signal);
  if (!isElected(server)) return void (await beginAll(running, server, loops));
  const isScheduler = ([, { account }]: Chosen[number]) => account === 'the scheduler';
  standForElection(
    'kube-controller-manager',
    running.filter((one) => !isScheduler(one)),
    server,
    loops,
  );
  standForElection('kube-scheduler', running.filter(isScheduler), server, loops);
}

function standForElection(program: ElectedProgram, running: Chosen, server: ListeningServer, loops: LoopParts): void {
  if (running.length === 0) return;
  void whileElected(program, server, async (leader) => void (await Promise.all((await beginAll(running, leader, loops)).runs)));
}

async function beginAll(running: Chosen, server: ListeningServer, loops: LoopParts): Promise<{ readonly runs: readonly Promise<void>[] }> {
  const runs: Promise<void>[] = [];
  for (const [, registration] of running) {
    await nextTurn();
    if (server.signal.aborted) break;
    const controller = await built(registration, server, loops);
    if (controller !== undefined) runs.push(controller.run(server.signal));
  }
  return { runs };
}

/** What names it first decides, as in the original. */
export function isOn(chosen: readonly string[], name: ControllerName, isOffByDefault = false): boolean {
  const first = chosen.find((choice) => controllerChosen(choice) === name);
  if (first !== undefined) return !first.startsWith('-');
  return chosen.includes('*') && !isOffByDefault;
}

async function built({ account, load }: Registration, server: ListeningServer, loops: LoopParts): Promise<Pick<Controller, 'run'> | undefined> {
  const build = await load();
  const user = userOf(account);
  // As the user agent of the original's programs: its first word manages the fields they write.
  const agent = `${account === 'the scheduler' ? 'kube-scheduler' : 'kube-controller-manager'}/${user.name}`;
  return build({ server, loops, client: server.own.as(user, agent), behind: server.own.behind(user, agent) });
}

function userOf(account: string): User {
  if (account === 'the manager') return controllerManagerUser;
  return account === 'the scheduler' ? schedulerUser : serviceAccountUser('kube-system', account);
}
