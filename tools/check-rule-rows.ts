// Fails when a rule of test/support/rule-rows/*.json has no case in the tables of refusals (test/support/rule-cases.ts), and, where
// ../shared/reference/validation.md is there, when that file has a rule row that the JSON files do not know, or the other way round.
//   tsx tools/check-rule-rows.ts [SECTION…] [--cases KIND]   sections by number: 3, 3.7, 12
//
// A row maps to what must be seen: `WRITE KIND PATH CODES[ ~ TEXT]`, or `not provoked: REASON`.
//   WRITE  create, update, or the subresource (status, resize …); PATH  [*] any index or key, ** anything
//   CODES  Req/Inv/NS/Dup/Forb/TL/TM/NF/Int/Few/Short: each must be seen; TEXT  a part of the message
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { registerHooks } from './without-vitest.ts';
import type { RegisteredRefusal } from '../test/support/refusals.ts';

type Rows = Record<string, Record<string, string[]>>;

const rowsFolder = new URL('../test/support/rule-rows/', import.meta.url);
const reference = new URL('../../shared/reference/validation.md', import.meta.url);
const reasons: Record<string, string> = {
  Req: 'FieldValueRequired',
  Inv: 'FieldValueInvalid',
  NS: 'FieldValueNotSupported',
  Dup: 'FieldValueDuplicate',
  Forb: 'FieldValueForbidden',
  TL: 'FieldValueTooLong',
  TM: 'FieldValueTooMany',
  NF: 'FieldValueNotFound',
  Int: 'InternalError',
  Few: 'FieldValueTooFew',
  Short: 'FieldValueTooShort',
};

await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<void> {
  const rows = readRows();
  const cases = await loadCases();
  const kind = words[words.indexOf('--cases') + 1];
  if (words.includes('--cases')) return printCases(cases.filter((one) => one.kind === kind));
  const wanted = words.length === 0 ? rows : Object.fromEntries(Object.entries(rows).filter(([section]) => words.some((word) => isIn(section, word))));
  const problems = [...uncovered(wanted, cases), ...(words.length === 0 && existsSync(reference) ? strangers(rows, readFileSync(reference, 'utf8')) : [])];
  for (const problem of problems) console.log(problem);
  const lines = Object.values(wanted).flatMap((section) => Object.values(section).flat());
  const skipped = lines.filter((line) => line.startsWith('not provoked')).length;
  console.log(`${cases.length} cases, ${lines.length - skipped} demands, ${skipped} not provoked, ${problems.length} problems`);
  if (!existsSync(reference)) console.log('../shared is not there: the rows were not compared with validation.md');
  process.exitCode = problems.length > 0 ? 1 : 0;
}

function readRows(): Rows {
  const files = readdirSync(rowsFolder).filter((file) => file.endsWith('.json'));
  return Object.assign({}, ...files.toSorted().map((file) => JSON.parse(readFileSync(new URL(file, rowsFolder), 'utf8'))));
}

/** Loads every test file that has tables, with a `vitest` that runs no test. */
async function loadCases(): Promise<readonly RegisteredRefusal[]> {
  registerHooks();
  const root = new URL('../src/', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  for (const file of files) {
    const url = new URL(file, root);
    if (/support\/(?:rule-cases|refused-requests)\.ts/.test(readFileSync(url, 'utf8'))) await import(url.href);
  }
  const { registeredRefusals } = await import('../test/support/refusals.ts');
  return registeredRefusals();
}

function isIn(section: string, number: string): boolean {
  const [own = ''] = section.split(' ');
  return own === number || own === `${number}.` || own.startsWith(`${number}.`);
}

function* uncovered(rows: Rows, cases: readonly RegisteredRefusal[]): Generator<string> {
  for (const [section, ofSection] of Object.entries(rows)) {
    for (const [row, demands] of Object.entries(ofSection)) {
      const missing = demands.flatMap((demand) => missingCodes(demand, cases).map((code) => `\n    no case for ${code}: ${demand}`));
      if (demands.length === 0) missing.push('\n    it does not say what must be seen');
      if (missing.length > 0) yield `${section.split(' ')[0]} ${row}${missing.join('')}`;
    }
  }
}

function missingCodes(demand: string, cases: readonly RegisteredRefusal[]): string[] {
  if (demand.startsWith('not provoked: ')) return [];
  const [what = '', text = ''] = demand.split(' ~ ');
  const [, write = '', kind = '', path = '', codes = ''] = /^(\S+) (\S+) (.+) (\S+)$/.exec(what) ?? [];
  const field = pathPattern(path);
  const causes = cases.filter((one) => one.write === write && one.kind === kind).flatMap((one) => one.causes.filter((cause) => field.test(cause.field ?? '')));
  return codes.split('/').filter((code) => !causes.some((cause) => cause.reason === (reasons[code] ?? code) && (cause.message ?? '').includes(text)));
}

function pathPattern(path: string): RegExp {
  const source = path.split(/(\[\*\]|\*\*|\*)/).map((part) => {
    if (part === '[*]') return String.raw`\[[^\]]*\]`;
    if (part === '**') return '.*';
    return part === '*' ? String.raw`[^.[\]]+` : part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source.join('')}$`, 's');
}

/** Rows on one side only. What the reference says in prose is kept under its own words, too: it must contain them. */
function* strangers(rows: Rows, text: string): Generator<string> {
  const known = new Set(Object.values(rows).flatMap((section) => Object.keys(section)));
  const there = new Set(tableRows(text));
  for (const row of there) if (!known.has(row)) yield `validation.md has a row that test/support/rule-rows does not know: ${row}`;
  for (const row of known) if (!there.has(row) && !text.includes(row)) yield `test/support/rule-rows has a row that validation.md does not know: ${row}`;
}

/** The rows of all tables after the primitive formats, without heads. */
function tableRows(text: string): string[] {
  const lines = text.slice(text.indexOf('\n## 1. ')).split('\n');
  return lines
    .filter((line, index) => line.startsWith('|') && !line.startsWith('|---') && !(lines[index + 1] ?? '').startsWith('|---'))
    .map((line) => line.replace(/^\|\s*/, '').replace(/\s*\|\s*$/, ''));
}

function printCases(cases: readonly RegisteredRefusal[]): void {
  for (const { write, causes } of cases) for (const { field, message, reason } of causes) console.log(`${write} ${field}: ${message} (${reason})`);
}
