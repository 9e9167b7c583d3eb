// What a store of format 2 left in its journal, read once when the store is taken over. Such a journal cannot tell damage of its last record
// from a crash: a record that is not whole, with nothing behind it, is taken for one that was never finished, as format 2 did.
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { readNumber } from '#store/embedded/records.ts';

const SIZE = 2 << 20;
const SECTOR = 4096;
/** Epoch, length, checksum of all that follows it. */
const HEADER = 16;
const CHECKSUM_AT = 12;

export interface JournalOfFormat2 {
  readonly epoch: number;
  readonly contents: readonly Buffer[];
}

/** `settled`: the last epoch that LMDB has. Undefined when nothing stands there that LMDB does not have. */
export function readJournalOfFormat2(path: string, settled: number): JournalOfFormat2 | undefined {
  const file = readFileSync(path);
  if (file.every((byte) => byte === 0)) return undefined;
  if (file.length !== SIZE) throw new Error(`it should have ${SIZE} bytes and has ${file.length}`);
  const epoch = readNumber(file, 0);
  const contents: Buffer[] = [];
  let end = 0;
  if (epoch > settled) {
    for (; epochAt(file, end) === epoch; end += Math.ceil((HEADER + (contents.at(-1)?.length ?? 0)) / SECTOR) * SECTOR) contents.push(contentAt(file, end));
  }
  for (let start = end; start < SIZE; start += SECTOR) if ((epochAt(file, start) ?? 0) > settled) throw new Error(`it is damaged at byte ${end}`);
  return contents.length === 0 ? undefined : { epoch, contents };
}

function contentAt(file: Buffer, start: number): Buffer {
  return file.subarray(start + HEADER, start + HEADER + file.readUInt32BE(start + 8));
}

/** Undefined where no whole record begins. */
function epochAt(file: Buffer, start: number): number | undefined {
  if (start + HEADER > SIZE) return undefined;
  const record = file.subarray(start);
  const length = record.readUInt32BE(8);
  if (HEADER + length > record.length) return undefined;
  const checksum = crc32(record.subarray(HEADER, HEADER + length), crc32(record.subarray(0, CHECKSUM_AT)));
  return record.readUInt32BE(CHECKSUM_AT) === checksum ? readNumber(record, 0) : undefined;
}
