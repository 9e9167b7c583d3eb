// Makes small groups of writes durable by one write to a file of fixed size. A commit of LMDB flushes the disk twice and costs four times
// as much, so LMDB gets what stands here later, many groups in one transaction; after a crash the next start brings it there.
// A record is a group. Those of one epoch lie side by side from the beginning of the file; which epochs LMDB has already is written in LMDB.
import { closeSync, constants, existsSync, fstatSync, fsyncSync, openSync, readSync, statSync, write, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { readNumber, writeNumber } from '#store/embedded/records.ts';

const SIZE = 2 << 20;
/** Records begin at sectors, so that writing one touches no byte of another. */
const SECTOR = 4096;
/** Epoch, length, checksum of all that follows it. */
const HEADER = 16;
const CHECKSUM_AT = 12;
/** Larger groups are worth a transaction of their own. */
const LARGEST_GROUP = 128 << 10;

/** One that has another size was never finished, and holds nothing. */
export function isJournal(path: string): boolean {
  return existsSync(path) && statSync(path).size === SIZE;
}

export class Journal {
  readonly #descriptor: number;
  /** What the file holds. */
  readonly #image: Buffer;
  #used = 0;
  #epoch: number;
  #spoiled = false;

  /** `settled`: the last epoch that LMDB has. */
  constructor(path: string, settled: number) {
    this.#image = Buffer.allocUnsafeSlow(SIZE);
    this.#descriptor = openWhole(path, this.#image);
    this.#epoch = this.#findRecords(settled);
  }

  get isEmpty(): boolean {
    return this.#used === 0 && !this.#spoiled;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** Room for a record of this length, to be filled before `append`; undefined when LMDB should rather have it at once. */
  room(length: number): Buffer | undefined {
    const start = this.#used + HEADER;
    if (this.#spoiled || length > LARGEST_GROUP || start + length > SIZE) return undefined;
    return this.#image.subarray(start, start + length);
  }

  /** Resolves when what was put into the room is on the disk. */
  async append(length: number): Promise<void> {
    const end = this.#used + Math.ceil((HEADER + length) / SECTOR) * SECTOR;
    const record = this.#image.subarray(this.#used, end);
    record.fill(0, HEADER + length);
    writeNumber(record, this.#epoch, 0);
    record.writeUInt32BE(length, 8);
    record.writeUInt32BE(checksum(record, length), CHECKSUM_AT);
    await writeAt(this.#descriptor, record, this.#used);
    this.#used = end;
  }

  /** A record may stand there or not, or LMDB may have called the epoch over or not: nothing is written here before that is known. */
  spoil(): void {
    this.#spoiled = true;
  }

  /** The records that LMDB does not have, oldest first. */
  *records(): Generator<Buffer, void, undefined> {
    for (let start = 0; start < this.#used; ) {
      const length = this.#image.readUInt32BE(start + 8);
      yield this.#image.subarray(start + HEADER, start + HEADER + length);
      start = this.#endOf(start);
    }
  }

  /** LMDB has everything, and says that this epoch is over. */
  rewind(): void {
    this.#epoch++;
    this.#used = 0;
    this.#spoiled = false;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /** Takes the records of the epoch that was being written; returns which one is. */
  #findRecords(settled: number): number {
    const epoch = readNumber(this.#image, 0);
    if (epoch > settled) while (this.#epochAt(this.#used) === epoch) this.#used = this.#endOf(this.#used);
    this.#refuseDamage(settled);
    // The first write of an epoch that was cut short may have left any number here.
    return this.#used > 0 ? epoch : settled + 1;
  }

  /** A write is begun when the one before it is on the disk: only the last can have been cut short, and nothing new stands behind it. */
  #refuseDamage(settled: number): void {
    for (let start = this.#used; start < SIZE; start += SECTOR) {
      if ((this.#epochAt(start) ?? 0) <= settled) continue;
      throw new Error(`it is damaged at byte ${this.#used}, in front of writes that are nowhere else; without this file the store opens as it was before them`);
    }
  }

  /** Undefined where no whole record begins. */
  #epochAt(start: number): number | undefined {
    if (start + HEADER > SIZE) return undefined;
    const record = this.#image.subarray(start);
    const length = record.readUInt32BE(8);
    return HEADER + length <= record.length && record.readUInt32BE(CHECKSUM_AT) === checksum(record, length) ? readNumber(record, 0) : undefined;
  }

  #endOf(start: number): number {
    return start + Math.ceil((HEADER + this.#image.readUInt32BE(start + 8)) / SECTOR) * SECTOR;
  }
}

/** Of epoch, length and content. */
function checksum(record: Buffer, length: number): number {
  return crc32(record.subarray(HEADER, HEADER + length), crc32(record.subarray(0, CHECKSUM_AT)));
}

/** A file that has its whole size needs no change of its metadata when it is written: that would cost as much again. */
function openWhole(path: string, image: Buffer): number {
  if (!constants.O_DSYNC) throw new Error('writes cannot be made durable one by one on this system');
  const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC, 0o600);
  try {
    if (fstatSync(descriptor).size === SIZE) readSync(descriptor, image, 0, SIZE, 0);
    else {
      image.fill(0);
      writeSync(descriptor, image, 0, SIZE, 0);
      fsyncSync(descriptor);
    }
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function writeAt(descriptor: number, bytes: Buffer, position: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const writeOn = (from: number) =>
      write(descriptor, bytes, from, bytes.length - from, position + from, (error, written) => {
        if (error) reject(error);
        else if (from + written < bytes.length) writeOn(from + written);
        else resolve();
      });
    writeOn(0);
  });
}
