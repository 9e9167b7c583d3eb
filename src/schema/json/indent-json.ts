import { escapedLikeGo } from '#schema/json/json-text.ts';

/** JSON text with two blanks per level, as people read it. Numbers stay as they are written, also those that a double cannot hold. */
export function indentJson(json: string): string {
  return longDigits.test(json) ? indentText(json) : escapedLikeGo(JSON.stringify(JSON.parse(json), null, 2));
}

const longDigits = /[0-9]{16}/;
/** A string, what opens or closes a level, what stands between members, or anything else up to there. */
const piece = /"(?:[^"\\]|\\.)*"|[{[](?:\s*[}\]])?|[}\]]|[,:]|[^\s"{}[\],:]+/g;

function indentText(json: string): string {
  let depth = 0;
  let out = '';
  for (const [text] of json.matchAll(piece)) {
    if (text === '{' || text === '[') out += `${text}${line((depth += 1))}`;
    else if (text === '}' || text === ']') out += `${line((depth -= 1))}${text}`;
    else if (text === ',') out += `,${line(depth)}`;
    else out += text === ':' ? ': ' : text;
  }
  return out;
}

function line(depth: number): string {
  return `\n${'  '.repeat(depth)}`;
}
