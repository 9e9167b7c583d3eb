// PEM blocks, found where Go's pem.Decode finds them: a signer written in Go must read what we judged, and nothing else.
// Offsets into one text and no regular expression over it: the time is linear in its length.

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: Buffer;
}

const begin = '-----BEGIN ';
const end = '\n-----END ';
const dashes = '-----';

/** Text around blocks and blocks that are broken are skipped; the first that cannot be skipped ends the search, as it does in Go. */
export function pemBlocks(data: Buffer | string): PemBlock[] {
  const text = (typeof data === 'string' ? Buffer.from(data) : data).toString('latin1');
  const blocks: PemBlock[] = [];
  for (let from = 0; from < text.length; ) {
    const found = nextBlock(text, from);
    if (found === undefined) break;
    blocks.push(found.block);
    from = found.next;
  }
  return blocks;
}

interface Found {
  readonly block: PemBlock;
  /** Where the text after the block starts. */
  readonly next: number;
}

function nextBlock(text: string, from: number): Found | undefined {
  for (let at = from; ; ) {
    const endAt = text.indexOf(end, at);
    if (endAt < 0) return undefined;
    const afterEnd = endAt + end.length;
    const found = blockBefore(text, at, endAt);
    if (typeof found === 'object') return found;
    if (found === 'give up') return undefined;
    at = afterEnd;
  }
}

/** The last BEGIN before an END counts: repeated BEGIN lines without their END are skipped. */
function blockBefore(text: string, from: number, endAt: number): Found | 'skip' | 'give up' {
  const beginAt = text.slice(from, endAt).lastIndexOf(begin);
  if (beginAt < 0 || (beginAt > 0 && text[from + beginAt - 1] !== '\n')) return 'skip';
  const typeLine = lineAt(text, from + beginAt + begin.length);
  if (!typeLine.text.endsWith(dashes)) return 'skip';
  const type = typeLine.text.slice(0, -dashes.length);
  const body = skipHeaders(text, typeLine.next);
  if (body === undefined) return 'give up';
  const hasHeaders = body > typeLine.next;
  // Lines with a colon may run over the END; Go then either has nothing left to look at or looks on behind it.
  if (hasHeaders && body > endAt) return body > endAt + end.length ? 'give up' : 'skip';
  const trailer = lineAt(text, endAt + end.length);
  if (!trailer.text.startsWith(type) || trailer.text.slice(type.length) !== dashes) return 'skip';
  const der = decodeBase64(text.slice(body, Math.max(body, endAt)));
  if (der === undefined) return 'skip';
  return { block: { type: Buffer.from(type, 'latin1').toString(), hasHeaders, der }, next: trailer.next };
}

/** Where the first line without a colon starts; undefined when there is none. */
function skipHeaders(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; ) {
    const line = lineAt(text, at);
    if (!line.text.includes(':')) return at;
    at = line.next;
  }
  return undefined;
}

interface Line {
  /** Without what ends it and without blanks before that. */
  readonly text: string;
  readonly next: number;
}

function lineAt(text: string, from: number): Line {
  const newline = text.indexOf('\n', from);
  const next = newline < 0 ? text.length : newline + 1;
  let stop = newline < 0 ? text.length : newline;
  if (newline > from && text[newline - 1] === '\r') stop--;
  while (stop > from && (text[stop - 1] === ' ' || text[stop - 1] === '\t')) stop--;
  return { text: text.slice(from, stop), next };
}

/** Node's own decoder takes anything; Go's wants whole groups of four and nothing but its alphabet. */
function decodeBase64(text: string): Buffer | undefined {
  const digits = text.replace(/[ \t\r\n]+/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits) ? Buffer.from(digits, 'base64') : undefined;
}
