// What every store promises, as one suite that every implementation runs.
import { describe } from 'vitest';
import { endingWatches, listing, readingHistory, visiting, watchingCompacted, watchingOn, watchingTogether } from '#store/store-contract-read.ts';
import { contractTest, type OpenStore } from '#store/store-contract-support.ts';
import { closing, compacting, expiring, writingDeferred, writingAlone, writingTogether } from '#store/store-contract-write.ts';

const SECTIONS = {
  writing: [writingAlone, writingTogether, writingDeferred],
  reading: [listing, visiting, readingHistory],
  watching: [watchingOn, watchingTogether, watchingCompacted, endingWatches],
  compaction: [compacting],
  'time to live': [expiring],
  closing: [closing],
};

export function testStoreContract(name: string, open: OpenStore): void {
  describe(`${name} keeps the store contract`, () => {
    for (const [section, parts] of Object.entries(SECTIONS)) {
      describe(section, () => {
        for (const part of parts) part(contractTest(open));
      });
    }
  });
}
