// How a controller of kube-controller-manager is made part of the server: a line in one of the tables under `registered/`, which names the
// user it is and loads it when it runs. A start that leaves it out never reads its code.
import type { ListeningServer } from '#app/listening-server.ts';
import type { ControllerName } from '#app/loops/controller-names.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { Controller, LoopParts } from '#controllers/controller.ts';

export interface ControllerParts {
  readonly server: ListeningServer;
  readonly loops: LoopParts;
  /** Writes as the controller's service account. */
  readonly client: RestClient;
  /** The same, for Events: other requests of this server go first. */
  readonly behind: RestClient;
}

/** Undefined: this server has nothing for it to do. */
export type BuildController = (parts: ControllerParts) => MaybePromise<Pick<Controller, 'run'> | undefined>;

export interface Registration {
  /**
   * Its service account in kube-system; the role of the original is bound to it. `the manager`: it is kube-controller-manager itself;
   * `the scheduler`: it is kube-scheduler.
   */
  readonly account: string;
  /** Runs only when --controllers names it. */
  readonly isOffByDefault?: boolean;
  readonly load: () => Promise<BuildController>;
}

export type Registrations = Readonly<Partial<Record<ControllerName, Registration>>>;
