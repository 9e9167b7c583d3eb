import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Answers, judgedByUs, type Questions } from '../../../test/conformance/x509/judge.ts';

/** Made and judged by Go with `npx tsx test/conformance/x509/main.ts --write`. */
interface Fixture {
  readonly names: Readonly<Record<keyof Answers, readonly string[]>>;
  readonly questions: Questions;
  readonly answers: Answers;
}

const { names, questions, answers } = JSON.parse(readFileSync(new URL('../../../test/fixtures/x509-verdicts.json', import.meta.url), 'utf8')) as Fixture;
const ours = judgedByUs(questions);

describe.each(['chains', 'requests'] as const)('%s are judged as Go judges them', (part) => {
  test.each(names[part].map((name, index) => [name, index] as const))('%s', (_, index) => {
    const { problem: _our, ...our } = ours[part][index] ?? { accepted: true };
    const { problem: _their, ...their } = answers[part][index] ?? { accepted: false };
    expect(our).toEqual(their);
  });
});

describe('PEM blocks are found where Go finds them', () => {
  test.each(names.pems.map((name, index) => [name, index] as const))('%s', (_, index) => {
    expect(ours.pems[index]).toEqual(answers.pems[index]);
  });
});

test('the table has enough of both kinds', () => {
  expect(answers.chains.filter(({ accepted }) => accepted).length).toBeGreaterThan(50);
  expect(answers.chains.filter(({ accepted }) => !accepted).length).toBeGreaterThan(80);
});
