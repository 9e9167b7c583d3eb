// The Accept header as upstream reads it: lenient, and sorted in its own way.
import { trimBlanks } from '#base/trim-blanks.ts';

export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** Browsers send ten clauses. What stands behind these is not looked at: it is read for every refusal, before authentication too. */
const maxClauses = 256;
const maxParameters = 64;

/** The clauses, most wanted first. What cannot be read is left out. */
export function parseAccept(header: string): readonly AcceptClause[] {
  return sortLikeUpstream(acceptedParts(header).flatMap((part) => parseClause(part) ?? []));
}

export function acceptedParts(header: string): readonly string[] {
  return header.split(',', maxClauses);
}

const noParameters: ReadonlyMap<string, string> = new Map();

function parseClause(part: string): AcceptClause | undefined {
  const [name = '', ...parameters] = part.split(';', maxParameters + 1);
  const [type = '', subtype, ...rest] = name.split('/').map(trimBlanks);
  if (rest.length > 1 || (rest.length === 1 && rest[0] !== '')) return undefined;
  if (subtype === undefined || subtype === '') return type === '*' ? clauseOf('*', '*', parameters) : undefined;
  return clauseOf(type, subtype, parameters);
}

function clauseOf(type: string, subtype: string, texts: readonly string[]): AcceptClause {
  if (texts.length === 0) return { type, subtype, quality: 1, parameters: noParameters };
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const text of texts) {
    const [key = '', value = '', ...rest] = text.split('=');
    if (value === '' || rest.some((more) => more !== '')) continue;
    if (trimBlanks(key) === 'q') quality = Number(value) || 0;
    else parameters.set(trimBlanks(key), trimBlanks(value));
  }
  return { type, subtype, quality, parameters };
}

/**
 * Upstream's order is no proper order (a lower quality may come first when the type is more specific), so the result
 * depends on the algorithm: insertion sort, as Go sorts short lists. Quadratic, so the number of clauses is limited.
 */
function sortLikeUpstream(clauses: AcceptClause[]): AcceptClause[] {
  for (let i = 1; i < clauses.length; i++) {
    const moved = clauses[i] as AcceptClause;
    let at = i;
    for (; at > 0 && comesBefore(moved, clauses[at - 1] as AcceptClause); at--) clauses[at] = clauses[at - 1] as AcceptClause;
    clauses[at] = moved;
  }
  return clauses;
}

function comesBefore(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
}
