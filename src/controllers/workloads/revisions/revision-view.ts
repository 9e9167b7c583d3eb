import type { ResourceAddress } from '#client/rest-client.ts';
import { ControlledObjects, type ObjectView, objectViewOf, oncePerServer } from '#controllers/workloads/controlled-objects.ts';
import type { StoredRevision } from '#controllers/workloads/revisions/revision-data.ts';

export const controllerRevisions: ResourceAddress = { group: 'apps', version: 'v1', resource: 'controllerrevisions', namespaced: true };

export type ControlledRevisions = ControlledObjects<StoredRevision, ObjectView>;

export const controlledRevisions = oncePerServer(
  (sources): ControlledRevisions => new ControlledObjects(sources.of<StoredRevision>(controllerRevisions), objectViewOf),
);
