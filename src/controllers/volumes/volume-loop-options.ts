import type { Sources } from '#api/source.ts';
import type { Clock } from '#base/clock.ts';
import type { RestClient } from '#client/rest-client.ts';
import type { LoopParts } from '#controllers/controller.ts';

/** What the loops of volumes and claims get that tell Events. */
export interface VolumeLoopOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly clock: Clock;
}
