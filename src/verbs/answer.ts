// What a verb hands back; server/answer/answer.ts turns it into the media type the client accepts.
import type { KubernetesObject } from '#api/object.ts';
import type { Shape } from '#base/shapes/shape.ts';
import type { Column } from '#resource/column.ts';
import type { ResourceDefinition } from '#resource/definition.ts';
import type { StructSchema } from '#schema/build.ts';
import type { ConnectExchange } from '#verbs/connect-exchange.ts';

/** An object in its stored version: bytes first, parsed when a reader needs more. */
export interface Item {
  readonly json: Buffer;
  readonly object: KubernetesObject;
  readonly revision: number;
  /** `json` without its resourceVersion, where that is at hand. */
  readonly stored?: Uint8Array;
  /** Items of the cache write themselves: `json` would be made for that only. */
  readonly byteLength?: number;
  /** Tells items that the cache keeps from each other. */
  readonly serial?: number | undefined;
  copyTo?(target: Uint8Array, at: number, skip?: number): number;
  /** What it has in common with others, where the cache keeps no more of it than the rest. */
  readonly shape?: Shape | undefined;
  /** Where the texts in the holes of its shape stand in the bytes returned. */
  placeTexts?(places: Int32Array): Buffer;
  /** How long it is in the form asked about last; -1: not known. */
  lengthIn?(form: object): number;
  keepLength?(form: object, length: number): void;
}

export interface ListMeta {
  /** Absent for resources that are not stored. */
  resourceVersion?: string;
  continue?: string;
  remainingItemCount?: number;
}

export type Answer =
  | { readonly is: 'item'; readonly code: number; readonly definition: ResourceDefinition; readonly item: Item }
  /** Of a kind of its own, complete as it is: Status, Scale, reviews. With columns it can be shown as a Table. */
  | { readonly is: 'object'; readonly code: number; readonly schema: StructSchema; readonly object: object; readonly columns?: readonly Column[] }
  /** The handler speaks for itself: a proxy, a log that is followed, a shell. Ends when the stream has ended. */
  | { readonly is: 'connect'; readonly serve: (exchange: ConnectExchange) => Promise<void> }
  /** 204. */
  | { readonly is: 'nothing' }
  | { readonly is: 'list'; readonly definition: ResourceDefinition; readonly items: readonly Item[]; readonly metadata: ListMeta };
