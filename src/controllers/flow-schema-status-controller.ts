// Says on every FlowSchema whether its priority level exists, again whenever one of the two changes.
import { sourceKey, type Sources, splitKey } from '#api/source.ts';
import type { RestClient } from '#client/rest-client.ts';
import { type Controller, controller, keysOf, type LoopParts, unlessOvertaken } from '#controllers/controller.ts';
import { keepDanglingCondition } from '#controllers/flow-schema-status.ts';

export interface FlowSchemaStatusOptions extends LoopParts {
  readonly client: RestClient;
  readonly sources: Sources;
  readonly now: () => Date;
}

const group = 'flowcontrol.apiserver.k8s.io';
/** In force whatever is stored. */
const mandatory = new Set(['exempt', 'catch-all']);

export function flowSchemaStatus({ client, sources, now, ...parts }: FlowSchemaStatusOptions): Controller {
  const schemas = sources.of({ group, resource: 'flowschemas' });
  const levels = sources.of({ group, resource: 'prioritylevelconfigurations' });
  const levelExists = (name: string) => mandatory.has(name) || levels.get('', name) !== undefined;
  const reconcile = async (key: string) => {
    const found = schemas.get('', splitKey(key).name);
    if (found) await unlessOvertaken(keepDanglingCondition(client, found.object, levelExists, now()));
  };
  const all = () => schemas.list().map(sourceKey);
  return controller({ ...parts, name: 'priority_and_fairness_config_queue', sources: [keysOf(schemas), keysOf(levels, all)], reconcile });
}
