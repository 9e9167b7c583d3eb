// Certificates, PEM texts and certificate requests, judged by Go's own libraries and by us.
//   npx tsx test/conformance/x509/main.ts                  the committed table again, then 3,000 certificates with a few changed bytes
//   npx tsx test/conformance/x509/main.ts --random 20000   more of them
//   npx tsx test/conformance/x509/main.ts --write          makes the table anew, with Go's verdicts
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type Chain, chainTable } from './chain-table.ts';
import { type Answers, hasGo, judgedByGo, judgedByUs, type Questions } from './judge.ts';
import { pemTable, requestTable } from './text-table.ts';

const file = 'test/fixtures/x509-verdicts.json';
const usualTime = '2026-06-01T00:00:00Z';

interface Fixture {
  readonly names: { readonly chains: readonly string[]; readonly pems: readonly string[]; readonly requests: readonly string[] };
  readonly questions: Questions;
  readonly answers: Answers;
}

if (!hasGo()) {
  console.log('SKIPPED: there is no Go; the unit tests compare with the verdicts that it gave before');
  process.exit(0);
}
if (process.argv.includes('--write')) write();
const fixture = JSON.parse(readFileSync(file, 'utf8')) as Fixture;
const count = process.argv.includes('--random') ? Number(process.argv[process.argv.indexOf('--random') + 1]) : 3000;
const failed = compareTable(fixture) + compareRandom(fixture, count);
process.exit(failed === 0 ? 0 : 1);

function write(): void {
  const [chains, pems, requests] = [chainTable(), pemTable(), requestTable()];
  const questions = {
    chains: chains.map(questionOf),
    pems: pems.map(({ bytes }) => bytes.toString('base64')),
    requests: requests.map(({ bytes }) => bytes.toString('base64')),
  };
  const names = { chains: namesOf(chains), pems: namesOf(pems), requests: namesOf(requests) };
  writeFileSync(file, `${JSON.stringify({ names, questions, answers: judgedByGo(questions) } satisfies Fixture)}\n`);
}

function namesOf(entries: readonly { readonly name: string }[]): string[] {
  return entries.map(({ name }) => name);
}

function questionOf({ shown, roots, at = usualTime }: Chain): Questions['chains'][number] {
  const texts = (list: readonly Buffer[]) => list.map((der) => der.toString('base64'));
  return { shown: texts(shown), roots: texts(roots), at };
}

/** Also that Go still says what it said: another version of it may judge otherwise. */
function compareTable({ names, questions, answers }: Fixture): number {
  const [theirs, ours] = [judgedByGo(questions), judgedByUs(questions)];
  let failures = 0;
  for (const part of ['chains', 'pems', 'requests'] as const) {
    theirs[part].forEach((verdict, index) => {
      const [their, our, before] = [told(verdict), told(ours[part][index]), told(answers[part][index])];
      if (isDeepStrictEqual(their, our) && isDeepStrictEqual(their, before)) return;
      failures++;
      console.log(
        `${part}: ${names[part][index]}\n  Go    ${JSON.stringify(verdict)}\n  we    ${JSON.stringify(ours[part][index])}\n  before ${JSON.stringify(before)}`,
      );
    });
    console.log(`${part}: ${theirs[part].length} judged`);
  }
  return failures;
}

function told(verdict: unknown): unknown {
  const { problem: _, ...rest } = { ...(verdict as object) } as { problem?: string };
  return Array.isArray(verdict) ? verdict : rest;
}

/** The leaf of an accepted chain with some bytes changed: the signature fails, but before that everything is parsed. Accepting less than Go is told too. */
function compareRandom({ questions, answers }: Fixture, count: number): number {
  const good = questions.chains.filter((_, index) => answers.chains[index]?.accepted);
  const chains = Array.from({ length: count }, () => {
    const chain = good[randomInt(good.length)] as Questions['chains'][number];
    // As a root it is parsed and nothing else: the verdict says whether it could be.
    return { shown: [changed(chain.shown[0] ?? '')], roots: [changed(chain.shown.at(-1) ?? '')], at: chain.at };
  }).map((chain, index) => (index % 2 === 0 ? { ...chain, roots: chain.shown } : chain));
  const asked = { chains, pems: [], requests: [] };
  const [theirs, ours] = [judgedByGo(asked), judgedByUs(asked)];
  const different = chains.filter((_, index) => !isDeepStrictEqual(told(theirs.chains[index]), told(ours.chains[index])));
  for (const chain of different.slice(0, 5)) {
    const index = chains.indexOf(chain);
    console.log(`changed bytes: Go ${JSON.stringify(theirs.chains[index])}, we ${JSON.stringify(ours.chains[index])}\n  ${chain.shown[0]}`);
  }
  console.log(
    `${count} certificates with changed bytes: ${theirs.chains.filter(({ accepted }) => accepted).length} accepted by Go, ${different.length} judged differently`,
  );
  return different.length;
}

function changed(text: string): string {
  const bytes = Buffer.from(text, 'base64');
  for (let left = randomInt(1, 3); left > 0; left--) bytes[randomInt(bytes.length)] = randomInt(256);
  return bytes.toString('base64');
}
