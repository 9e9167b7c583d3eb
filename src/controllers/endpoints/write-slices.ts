// Carries a plan of slices out: what is new is created first, so that no endpoint is missing in between.
import type { RestClient } from '#client/rest-client.ts';
import { kinds } from '#client/kinds.ts';
import { unlessGone } from '#controllers/controller.ts';
import type { SlicePlan, StoredSlice } from '#controllers/endpoints/endpoint-slices.ts';
import { isNamespaceEnding } from '#controllers/namespace-ending.ts';

export type SliceOperation = 'create' | 'update' | 'delete';

export interface SliceWriting {
  readonly client: RestClient;
  readonly namespace: string;
  /** Nothing new for an owner that is being deleted: the garbage collector would race with it. */
  readonly ownerIsGoing: boolean;
  readonly onWritten: (operation: SliceOperation) => void;
}

export async function writeSlices({ client, namespace, ownerIsGoing, onWritten }: SliceWriting, plan: SlicePlan): Promise<void> {
  try {
    for (const slice of ownerIsGoing ? [] : plan.create) {
      await client.create(kinds.endpointSlices, namespace, withoutEmpty(slice));
      onWritten('create');
    }
  } catch (error) {
    if (isNamespaceEnding(error)) return;
    throw error;
  }
  for (const slice of plan.update) {
    await client.update(kinds.endpointSlices, withoutEmpty(slice));
    onWritten('update');
  }
  for (const { metadata } of plan.remove) {
    await removeSlice(client, namespace, metadata.name ?? '');
    onWritten('delete');
  }
}

export async function removeSlice(client: RestClient, namespace: string, name: string): Promise<void> {
  await unlessGone(client.delete(kinds.endpointSlices, namespace, name));
}

/** An empty list that is sent would be a field that the controller owns; the original sends none. */
function withoutEmpty({ endpoints = [], ports = [], ...slice }: StoredSlice): StoredSlice {
  return { ...slice, ...(endpoints.length > 0 && { endpoints }), ...(ports.length > 0 && { ports }) } as StoredSlice;
}
