// How many seats a request takes: lists by what they carry, writes by how many watchers hear of them, all others one.
import type { RequestInfo } from '#api/request-info.ts';

export interface Cost {
  readonly seats: number;
  readonly lingerMs: number;
}

export interface ResourceSize {
  readonly objects: number;
  readonly watchers: number;
}

/** Undefined for resources that an aggregated server serves. */
export type SizeOf = (info: RequestInfo) => ResourceSize | undefined;

const bytesPerSeat = 100_000;
/** Objects are not weighed one by one: a pod is larger, a lease smaller. */
const assumedObjectBytes = 2_000;
/** The latest state goes out piece by piece: more than this is never in memory for one list. */
const streamedBytes = 1_000_000;
const maxListSeats = 100;
const maxWriteSeats = 10;
const watchersPerSeat = 10;
const eventMs = 5;
const one: Cost = { seats: 1, lingerMs: 0 };
const writes = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** A level's requests never need more than a sixth of its seats: others must fit beside them. */
export function costOf(info: RequestInfo, query: () => URLSearchParams, sizeOf: SizeOf, levelSeats: number): Cost {
  if (!info.isResource) return one;
  if (info.verb === 'list' || info.verb === 'watch') return { seats: clamp(listSeats(info, query(), sizeOf(info)), maxListSeats, levelSeats), lingerMs: 0 };
  if (!writes.has(info.verb)) return one;
  return writeCost(info, sizeOf(info)?.watchers ?? 0, levelSeats);
}

function listSeats({ verb, name }: RequestInfo, query: URLSearchParams, size: ResourceSize | undefined): number {
  if (size === undefined || name !== '' || (verb === 'watch' && !sendsInitialEvents(query))) return 1;
  const limit = Number(query.get('limit') ?? 0);
  const limited = limit > 0 && limit < size.objects ? limit : size.objects;
  if (verb === 'watch' || !looksBack(query)) return Math.ceil(Math.min(limited * assumedObjectBytes, streamedBytes) / bytesPerSeat);
  const selects = Boolean(query.get('labelSelector')) || Boolean(query.get('fieldSelector'));
  const objects = selects ? Math.max(limited, Math.floor(size.objects / 2)) : limited;
  return Math.ceil((objects * assumedObjectBytes) / bytesPerSeat);
}

/** A past state may have to be read from the store, all of it at once. */
function looksBack(query: URLSearchParams): boolean {
  if (query.get('continue')) return true;
  const match = query.get('resourceVersionMatch') ?? '';
  if (match !== '') return match === 'Exact';
  return Number(query.get('limit') ?? 0) > 0 && !['', '0'].includes(query.get('resourceVersion') ?? '');
}

function sendsInitialEvents(query: URLSearchParams): boolean {
  const from = query.get('resourceVersion') ?? '';
  return query.get('sendInitialEvents') === 'true' || from === '' || from === '0';
}

/** Few watchers cost nothing worth counting. A width beyond the limit becomes time instead. */
function writeCost({ resource, subresource }: RequestInfo, watchers: number, levelSeats: number): Cost {
  if (watchers < watchersPerSeat || (resource === 'serviceaccounts' && subresource === 'token')) return one;
  const wanted = Math.ceil(watchers / watchersPerSeat);
  const seats = clamp(wanted, maxWriteSeats, levelSeats);
  return { seats, lingerMs: (wanted * eventMs) / seats };
}

function clamp(seats: number, most: number, levelSeats: number): number {
  return Math.max(1, Math.min(seats, most, Math.ceil(levelSeats * 0.15)));
}
