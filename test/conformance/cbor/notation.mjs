// CBOR for the comparison: `write` makes bodies of JavaScript values (and of the odd items below), `notation` shows bytes with every difference
// that a client could see, except the order of keys, which the original shuffles.

/** Items that JSON has no way to say. */
export const text = (value) => ({ raw: () => Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]) });
export const bytes = (value) => ({ raw: () => Buffer.concat([Buffer.from([0xd6]), head(2, value.length), value]) });
export const tagged = (tag, value) => ({ raw: () => Buffer.concat([head(6, tag), write(value)]) });
export const float = (value) => ({
  raw: () => {
    const buffer = Buffer.alloc(9, 0xfb);
    buffer.writeDoubleBE(value, 1);
    return buffer;
  },
});
export const hex = (digits) => ({ raw: () => Buffer.from(digits.replaceAll(' ', ''), 'hex') });
/** A map of these pairs, in this order, keys of any kind. */
export const pairs = (...list) => ({ raw: () => Buffer.concat([head(5, list.length), ...list.flat().map(write)]) });
export const open = (kind, ...items) => ({ raw: () => Buffer.concat([Buffer.from([(kind << 5) | 31]), ...items.map(write), Buffer.from([0xff])]) });

export function document(value) {
  return Buffer.concat([Buffer.from('d9d9f7', 'hex'), write(value)]);
}

export function write(value) {
  if (value === null || value === undefined) return Buffer.from([0xf6]);
  if (typeof value.raw === 'function') return value.raw();
  if (typeof value === 'boolean') return Buffer.from([value ? 0xf5 : 0xf4]);
  if (typeof value === 'string') return Buffer.concat([head(2, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? head(value < 0 ? 1 : 0, value < 0 ? -1 - value : value) : float(value).raw();
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(write)]);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(write)]);
}

function head(kind, argument) {
  const initial = kind << 5;
  if (argument < 24) return Buffer.from([initial | argument]);
  if (argument < 256) return Buffer.from([initial | 24, argument]);
  const long = Buffer.alloc(argument < 65536 ? 3 : 5);
  long[0] = initial | (argument < 65536 ? 25 : 26);
  if (argument < 65536) long.writeUInt16BE(argument, 1);
  else long.writeUInt32BE(argument, 1);
  return long;
}

/** One line for each item of a sequence. */
export function notation(buffer) {
  const lines = [];
  const state = { buffer, at: 0 };
  while (state.at < buffer.length) lines.push(item(state));
  return lines.join('\n');
}

function item(state) {
  const initial = state.buffer[state.at++];
  const kind = initial >> 5;
  const info = initial & 31;
  if (kind === 7) return simple(state, info);
  const argument = argumentOf(state, info);
  switch (kind) {
    case 0:
      return String(argument);
    case 1:
      return String(-1n - argument);
    case 2:
    case 3: {
      const shown = state.buffer.subarray(state.at, (state.at += Number(argument))).toString();
      return kind === 2 ? `'${shown}'` : `"${shown}"`;
    }
    case 4:
      return `[${Array.from({ length: Number(argument) }, () => item(state)).join(', ')}]`;
    case 5:
      return `{${Array.from({ length: Number(argument) }, () => member(item(state), item(state)))
        .sort()
        .join(', ')}}`;
    default:
      return `${argument}(${item(state)})`;
  }
}

/** What is another one in every run is left open. */
function member(key, value) {
  if (/^'(uid|resourceVersion|creationTimestamp|time|timestamp|lastTransitionTime|storageVersionHash|etag|continue)'$/.test(key)) return `${key}: …`;
  return `${key}: ${value}`;
}

function simple(state, info) {
  const at = state.at;
  if (info >= 25) state.at += 2 ** (info - 24);
  if (info === 25) return `half(${state.buffer.readUInt16BE(at).toString(16)})`;
  if (info === 26) return `single(${state.buffer.readFloatBE(at)})`;
  if (info === 27) return `double(${state.buffer.readDoubleBE(at)})`;
  return ['false', 'true', 'null'][info - 20] ?? `simple(${info})`;
}

function argumentOf(state, info) {
  if (info < 24) return BigInt(info);
  const size = 2 ** (info - 24);
  const value = BigInt(`0x${state.buffer.subarray(state.at, state.at + size).toString('hex')}`);
  state.at += size;
  return value;
}
