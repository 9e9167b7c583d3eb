import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** What a scheduler writes into its log about the scores of nodes, read on from where it was last read. */
export class ScoreLog {
  #file;
  #line;
  #read;
  #at = 0;
  #rest = '';

  constructor(file, line, read) {
    this.#file = openSync(file, 'r');
    this.#line = line;
    this.#read = read;
  }

  close() {
    closeSync(this.#file);
  }

  scoresOf(wanted) {
    let scores;
    for (const text of this.#news()) {
      const match = this.#line.exec(text);
      const [pod, some] = match ? this.#read(match) : [];
      if (pod === wanted) scores = { ...scores, ...some };
    }
    return scores;
  }

  #news() {
    const buffer = Buffer.alloc(fstatSync(this.#file).size - this.#at);
    this.#at += readSync(this.#file, buffer, 0, buffer.length, this.#at);
    const lines = (this.#rest + buffer.toString()).split('\n');
    this.#rest = lines.pop();
    return lines;
  }
}
