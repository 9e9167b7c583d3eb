// Memo tables: what was worked out for texts and shapes that clients send again and again. Each is bounded by its size, and what it holds follows from
// the key alone, so that all servers of a process may ask the same one, and the hot code that asks needs no server at hand. But the tables belong
// to the servers: when the last one has stopped, nothing that its clients sent is left in them.

export interface MemoTable {
  clear(): void;
}

const tables: MemoTable[] = [];
let servers = 0;

/** For tables at the top level of a module. */
export function sharedMemo<T extends MemoTable>(table: T): T {
  tables.push(table);
  return table;
}

/** A server uses the tables until this is disposed of. */
export function useSharedMemos(): Disposable {
  servers++;
  let isUsing = true;
  return {
    [Symbol.dispose]: () => {
      if (!isUsing) return;
      isUsing = false;
      if (--servers === 0) for (const table of tables) table.clear();
    },
  };
}
