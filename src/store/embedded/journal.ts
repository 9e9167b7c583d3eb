// Makes small groups of writes durable by one write to a file of fixed size. A commit of LMDB flushes the disk twice and costs four times
// as much, so LMDB gets what stands here later, many groups in one transaction; after a crash the next start brings it there.
// A record is a group. When one half of the file is full, an epoch is over: LMDB takes it while the next epoch is written to the other half.
import { closeSync, constants, fsyncSync, openSync, readSync, renameSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  BLOCK,
  blocksOf,
  encodeHeader,
  FILE_SIZE,
  frameRecord,
  HALF_BLOCKS,
  type JournalRecord,
  placeOfHeader,
  placeOfRecord,
} from '#store/embedded/journal-layout.ts';
import { syncDirectory } from '#store/embedded/sync-directory.ts';

/** Larger groups are worth a transaction of their own. */
const LARGEST_GROUP = 128 << 10;

export interface ClosedEpoch {
  readonly epoch: number;
  readonly contents: readonly Buffer[];
}

export interface JournalStart {
  readonly id: Buffer;
  readonly epoch: number;
  /** What stands in this epoch already. */
  readonly records: readonly JournalRecord[];
  readonly blocks: number;
  /** The epoch before, where LMDB has not got it yet. */
  readonly closed?: ClosedEpoch | undefined;
  /** LMDB does not know yet that this journal is in use. */
  readonly isResting: boolean;
}

export class Journal {
  readonly path: string;
  readonly id: Buffer;
  readonly #descriptor: number;
  /** Contents of the records of each half, side by side: LMDB reads them there. */
  readonly #images = [Buffer.alloc(0), Buffer.alloc(0)];
  readonly #frame = Buffer.allocUnsafeSlow(blocksOf(LARGEST_GROUP) * BLOCK);
  #epoch: number;
  #blocks: number;
  #filled = 0;
  #contents: Buffer[];
  #closed: ClosedEpoch | undefined;
  /** It is not known what stands behind the last record: nothing is appended to this epoch any more. */
  #isDoubtful = false;
  #isResting: boolean;

  constructor(path: string, { id, epoch, records, blocks, closed, isResting }: JournalStart) {
    if (!constants.O_DSYNC) throw new Error('writes cannot be made durable one by one on this system');
    this.path = path;
    this.id = id;
    this.#epoch = epoch;
    this.#blocks = blocks;
    this.#contents = records.map(({ content }) => content);
    this.#closed = closed;
    this.#isResting = isResting;
    this.#descriptor = openSync(path, constants.O_RDWR | constants.O_DSYNC);
  }

  /** The one that is being written. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Nothing stands in the epoch that is being written, or may stand there. */
  get isEmpty(): boolean {
    return this.#blocks === 0 && !this.#isDoubtful;
  }

  /** The epoch before, until LMDB has it. */
  get closed(): ClosedEpoch | undefined {
    return this.#closed;
  }

  /** Nothing may be appended before LMDB has been told that this journal is in use. */
  get isResting(): boolean {
    return this.#isResting;
  }

  /** Whether a group of this length should stand here; LMDB gets others at once. */
  takes(length: number): boolean {
    return !this.#isDoubtful && !this.#isResting && length <= LARGEST_GROUP;
  }

  hasRoom(length: number): boolean {
    return this.#blocks + blocksOf(length) <= HALF_BLOCKS;
  }

  /** Room for a group of this length, to be filled before `append`. */
  room(length: number): Buffer {
    return this.#image().subarray(this.#filled, this.#filled + length);
  }

  /** Resolves when what was put into the room is on the disk. `base`: the last revision before those of the group. */
  async append(length: number, base: number): Promise<void> {
    const content = this.room(length);
    const frame = frameRecord({ base, content }, { id: this.id, epoch: this.#epoch, block: this.#blocks }, this.#frame);
    this.#isDoubtful = true;
    await writeAt(this.#descriptor, frame, placeOfRecord(this.#epoch, this.#blocks));
    this.#isDoubtful = false;
    this.#contents.push(content);
    this.#blocks += frame.length / BLOCK;
    this.#filled += length;
  }

  /** From now on it is not known what LMDB has of this epoch. */
  doubt(): void {
    this.#isDoubtful = true;
  }

  /** Ends the epoch and begins the next. Before LMDB is told, so that a journal without this is known to be older than the data file. */
  async closeEpoch(): Promise<void> {
    if (this.#closed) throw new Error('LMDB has not got the epoch before');
    this.#isDoubtful = true;
    const header = encodeHeader({ id: this.id, epoch: this.#epoch + 1, blocksBefore: this.#blocks });
    await writeAt(this.#descriptor, header, placeOfHeader(this.#epoch + 1));
    this.#closed = { epoch: this.#epoch, contents: this.#contents };
    this.#epoch++;
    this.#blocks = 0;
    this.#filled = 0;
    this.#contents = [];
    this.#isDoubtful = false;
  }

  /** LMDB has the epoch that was closed, and knows that this journal is in use. */
  forgetClosed(): void {
    this.#closed = undefined;
    this.#isResting = false;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #image(): Buffer {
    const half = this.#epoch % 2;
    if (this.#images[half]?.length === 0) this.#images[half] = Buffer.allocUnsafeSlow(HALF_BLOCKS * BLOCK);
    return this.#images[half] as Buffer;
  }
}

/**
 * Makes an empty journal. It gets its name when it is whole and on the disk, and its size once for all: a file that need not grow needs no change
 * of its metadata when it is written, which would cost as much again.
 */
export function makeJournal(path: string, id: Buffer, epoch: number): void {
  const unfinished = `${path}.new`;
  const descriptor = openSync(unfinished, 'w', 0o600);
  try {
    const file = Buffer.alloc(FILE_SIZE);
    encodeHeader({ id, epoch, blocksBefore: 0 }).copy(file, placeOfHeader(epoch));
    writeWhole(descriptor, file);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(unfinished, path);
  syncDirectory(dirname(path));
}

/** Throws when the file has another size than journals have. */
export function readJournalFile(path: string): Buffer {
  const descriptor = openSync(path, 'r');
  try {
    // One byte more shows whether it is longer.
    const file = Buffer.allocUnsafeSlow(FILE_SIZE + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < file.length; length += read) read = readSync(descriptor, file, length, file.length - length, length);
    if (length !== FILE_SIZE) throw new Error(`it should have ${FILE_SIZE} bytes and has ${length < FILE_SIZE ? `only ${length}` : 'more'}`);
    return file.subarray(0, FILE_SIZE);
  } finally {
    closeSync(descriptor);
  }
}

/** A disk that is nearly full takes a part. */
function writeWhole(descriptor: number, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; ) {
    const written = writeSync(descriptor, bytes, from, bytes.length - from, from);
    if (written === 0) throw new Error('nothing could be written');
    from += written;
  }
}

function writeAt(descriptor: number, bytes: Buffer, position: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const writeOn = (from: number) =>
      write(descriptor, bytes, from, bytes.length - from, position + from, (error, written) => {
        if (error) reject(error);
        else if (written === 0) reject(new Error('nothing could be written'));
        else if (from + written < bytes.length) writeOn(from + written);
        else resolve();
      });
    writeOn(0);
  });
}
