// The bytes of the journal's file, such that a crash can be told from damage.
//   header     two slots of a block each; epoch e is in slot e mod 2
//   halves     two; the records of epoch e lie side by side in half e mod 2, each from the beginning of a block
// Every sector of a record is stamped with the epoch, the place of its record and a check of both. What a crash leaves of the record that was
// being written is sectors of an earlier epoch, or blank ones, where its own should be. Anything else that is not whole is damage.
import { crc32 } from 'node:zlib';
import { readNumber, writeNumber } from '#store/embedded/records.ts';

/** What disks write as a whole, at least. */
export const SECTOR = 512;
/** What the kernel and most disks write as a whole: records share none, so that writing one touches no byte of another. */
export const BLOCK = 4096;
export const HALF_BLOCKS = 256;
const HEADER_BLOCKS = 2;
export const FILE_SIZE = (HEADER_BLOCKS + 2 * HALF_BLOCKS) * BLOCK;

const MAGIC = Buffer.from('BINNJRN3');
export const ID_LENGTH = 16;
/** Magic, store, epoch, blocks of the epoch before, checksum. */
const HEADER_LENGTH = MAGIC.length + ID_LENGTH + 16;

const STAMP = 12;
const PAYLOAD = SECTOR - STAMP;
/** Length, checksum of base and content, base, checksum of these. */
const RECORD_HEADER = 20;

export interface JournalHeader {
  /** Of the store that the journal belongs to. */
  readonly id: Buffer;
  readonly epoch: number;
  /** How long the epoch before was: LMDB has it, or is about to get it. */
  readonly blocksBefore: number;
}

export interface JournalRecord {
  /** The last revision before those of this record. */
  readonly base: number;
  readonly content: Buffer;
}

/** The file is not as a crash could have left it. */
export class JournalDamage extends Error {
  override readonly name = 'JournalDamage';
  constructor(at: number) {
    super(`it is damaged at byte ${at}`);
  }
}

export function placeOfHeader(epoch: number): number {
  return (epoch % 2) * BLOCK;
}

export function placeOfRecord(epoch: number, block: number): number {
  return (HEADER_BLOCKS + (epoch % 2) * HALF_BLOCKS + block) * BLOCK;
}

export function encodeHeader({ id, epoch, blocksBefore }: JournalHeader): Buffer {
  const bytes = Buffer.alloc(SECTOR);
  MAGIC.copy(bytes);
  id.copy(bytes, MAGIC.length);
  writeNumber(bytes, epoch, MAGIC.length + ID_LENGTH);
  bytes.writeUInt32BE(blocksBefore, HEADER_LENGTH - 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(0, HEADER_LENGTH - 4)), HEADER_LENGTH - 4);
  return bytes;
}

/** The later of the two. A slot that is not whole was being written when the process died, or was damaged: LMDB knows which epoch must be there. */
export function readHeader(file: Buffer): JournalHeader {
  const [even, odd] = [headerAt(file, 0), headerAt(file, BLOCK)];
  const header = even && odd ? (even.epoch > odd.epoch ? even : odd) : (even ?? odd);
  if (header === undefined) throw new JournalDamage(0);
  return header;
}

function headerAt(file: Buffer, at: number): JournalHeader | undefined {
  const bytes = file.subarray(at, at + HEADER_LENGTH);
  const isWhole = bytes.subarray(0, MAGIC.length).equals(MAGIC) && bytes.readUInt32BE(HEADER_LENGTH - 4) === crc32(bytes.subarray(0, HEADER_LENGTH - 4));
  if (!isWhole) return undefined;
  const id = Buffer.from(bytes.subarray(MAGIC.length, MAGIC.length + ID_LENGTH));
  return { id, epoch: readNumber(bytes, MAGIC.length + ID_LENGTH), blocksBefore: bytes.readUInt32BE(HEADER_LENGTH - 8) };
}

export function blocksOf(length: number): number {
  return Math.ceil((Math.ceil((RECORD_HEADER + length) / PAYLOAD) * SECTOR) / BLOCK);
}

/** Puts a record into whole blocks, as they stand in the file. */
export function frameRecord({ base, content }: JournalRecord, place: { id: Buffer; epoch: number; block: number }, room: Buffer): Buffer {
  const frame = room.subarray(0, blocksOf(content.length) * BLOCK);
  const sectors = Math.ceil((RECORD_HEADER + content.length) / PAYLOAD);
  const first = placeOfRecord(place.epoch, place.block) / SECTOR;
  const salt = place.id.readUInt32BE(0);
  encodeRecordHeader(frame, base, content);
  for (let sector = 0, from = 0; sector < sectors; sector++) {
    const at = sector * SECTOR;
    writeStamp(frame, at, { epoch: place.epoch, block: place.block, check: stampCheck(salt, place.epoch, place.block, first + sector) });
    const skip = sector === 0 ? RECORD_HEADER : 0;
    const taken = content.copy(frame, at + STAMP + skip, from, from + PAYLOAD - skip);
    from += taken;
    if (from === content.length) frame.fill(0, at + STAMP + skip + taken);
  }
  return frame;
}

function encodeRecordHeader(frame: Buffer, base: number, content: Buffer): void {
  const header = frame.subarray(STAMP, STAMP + RECORD_HEADER);
  header.writeUInt32BE(content.length, 0);
  writeNumber(header, base, 8);
  header.writeUInt32BE(crc32(content, crc32(header.subarray(8, 16))), 4);
  header.writeUInt32BE(crc32(header.subarray(0, 16)), 16);
}

interface Stamp {
  readonly epoch: number;
  readonly block: number;
  readonly check: number;
}

function writeStamp(bytes: Buffer, at: number, { epoch, block, check }: Stamp): void {
  bytes.writeUIntBE(epoch, at, 6);
  bytes.writeUInt16BE(block, at + 6);
  bytes.writeUInt32BE(check, at + 8);
}

/** Any single change of what goes in changes what comes out: every step can be undone. */
function stampCheck(salt: number, epoch: number, block: number, sector: number): number {
  let mixed = Math.imul(salt ^ epoch, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ Math.floor(epoch / 2 ** 32), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ block, 0x27d4eb2f);
  mixed = Math.imul(mixed ^ (mixed >>> 16) ^ sector, 0x165667b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** 'unwritten': blank, or of an earlier epoch. 'damaged': nothing that was ever written here. */
type SectorState = 'unwritten' | 'damaged' | Stamp;

/** Reads the records of one epoch. */
export class EpochReader {
  readonly #file: Buffer;
  readonly #epoch: number;
  readonly #salt: number;

  constructor(file: Buffer, id: Buffer, epoch: number) {
    this.#file = file;
    this.#epoch = epoch;
    this.#salt = id.readUInt32BE(0);
  }

  /** Of an epoch that was being written: all up to the end, or up to a record that was never finished. */
  readOpen(): { readonly records: readonly JournalRecord[]; readonly blocks: number } {
    const records: JournalRecord[] = [];
    let block = 0;
    for (let record = this.#recordAt(0); record; record = this.#recordAt(block)) {
      records.push(record);
      block += blocksOf(record.content.length);
    }
    this.#refuseLaterRecords(block);
    return { records, blocks: block };
  }

  /** Of an epoch that was closed after so many blocks: all of them have to be whole. */
  readClosed(blocks: number): readonly JournalRecord[] {
    const records: JournalRecord[] = [];
    for (let block = 0; block < blocks; ) {
      const record = this.#recordAt(block);
      if (record === undefined) throw new JournalDamage(placeOfRecord(this.#epoch, block));
      records.push(record);
      block += blocksOf(record.content.length);
    }
    return records;
  }

  /** Undefined when it was not written, or not to its end. */
  #recordAt(block: number): JournalRecord | undefined {
    if (block >= HALF_BLOCKS) return undefined;
    const start = placeOfRecord(this.#epoch, block);
    if (!this.#isOwn(start, block)) return undefined;
    const header = this.#file.subarray(start + STAMP, start + STAMP + RECORD_HEADER);
    if (header.readUInt32BE(16) !== crc32(header.subarray(0, 16))) throw new JournalDamage(start);
    const length = header.readUInt32BE(0);
    if (block + blocksOf(length) > HALF_BLOCKS) throw new JournalDamage(start);
    const payload = this.#payload(start, block, RECORD_HEADER + length);
    if (payload === undefined) return undefined;
    const content = payload.subarray(RECORD_HEADER);
    if (header.readUInt32BE(4) !== crc32(content, crc32(header.subarray(8, 16)))) throw new JournalDamage(start);
    return { base: readNumber(header, 8), content };
  }

  /** Undefined when a sector is missing. All are looked at, because one that is damaged decides. */
  #payload(start: number, block: number, length: number): Buffer | undefined {
    const payload = Buffer.allocUnsafe(length);
    let isWhole = true;
    for (let at = start, from = 0; from < length; at += SECTOR, from += PAYLOAD) {
      if (!this.#isOwn(at, block)) isWhole = false;
      this.#file.copy(payload, from, at + STAMP, at + SECTOR);
    }
    return isWhole ? payload : undefined;
  }

  #isOwn(at: number, block: number): boolean {
    const state = this.#sectorAt(at);
    if (state === 'unwritten') return false;
    if (state === 'damaged' || state.epoch !== this.#epoch || state.block !== block) throw new JournalDamage(at);
    return true;
  }

  /** A write is begun when the one before it is on the disk: behind one that was never finished there is nothing. */
  #refuseLaterRecords(end: number): void {
    for (let at = placeOfRecord(this.#epoch, end); at < placeOfRecord(this.#epoch, HALF_BLOCKS); at += SECTOR) {
      const state = this.#sectorAt(at);
      if (typeof state === 'object' && state.block !== end) throw new JournalDamage(placeOfRecord(this.#epoch, end));
    }
  }

  #sectorAt(at: number): SectorState {
    const epoch = this.#file.readUIntBE(at, 6);
    const block = this.#file.readUInt16BE(at + 6);
    const check = this.#file.readUInt32BE(at + 8);
    if (epoch === 0) return isBlank(this.#file, at) ? 'unwritten' : 'damaged';
    if (check !== stampCheck(this.#salt, epoch, block, at / SECTOR)) return 'damaged';
    return epoch < this.#epoch ? 'unwritten' : { epoch, block, check };
  }
}

const blank = Buffer.alloc(SECTOR);

function isBlank(file: Buffer, at: number): boolean {
  return file.compare(blank, 0, SECTOR, at, at + SECTOR) === 0;
}
