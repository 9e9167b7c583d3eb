import { describe, expect, it } from 'vitest';
import { FieldErrors } from '#api/field-error.ts';
import { nextTurn } from '#base/next-turn.ts';
import { valueFromOpenApi } from '#schema/structural/from-openapi.ts';
import { validateStructuralInTurns } from '#schema/structural/validate.ts';

const exploding = valueFromOpenApi({ type: 'array', items: { type: 'string', pattern: '^[ab]*a[ab]{300}c$' } });

/** Different ones that do not match, in which RE2 has to follow all states at once. */
function textsOf(count: number): string[] {
  const letter = (at: number) => 'ab'[(Math.imul(at, 2654435761) >>> 30) & 1];
  return Array.from({ length: count }, (_, index) => `${Array.from({ length: 4_000 }, (_unused, at) => letter(at + 7 * index)).join('')}${'b'.repeat(301)}c`);
}

describe('patterns that take long', () => {
  it('are searched in turns, and every text is judged once', async () => {
    const errors = new FieldErrors();
    let turns = 0;
    let over = false;
    const others = (async () => {
      while (!over) {
        await nextTurn();
        turns++;
      }
    })();
    const validating = validateStructuralInTurns(exploding, textsOf(40), errors);
    expect(validating).toBeInstanceOf(Promise);
    await validating;
    over = true;
    await others;
    expect(turns).toBeGreaterThan(2);
    expect(errors.list.map(({ field }) => field)).toEqual(Array.from({ length: 40 }, (_, index) => `[${index}]`));
  });

  it('wait for nothing where they are quick', () => {
    const errors = new FieldErrors();
    expect(validateStructuralInTurns(exploding, ['a', 'b'], errors)).toBeUndefined();
    expect(errors.list.length).toBe(2);
  });

  it('refuse a text that is too long for them', () => {
    const errors = new FieldErrors();
    void validateStructuralInTurns(exploding, ['ab'.repeat(1_000_000)], errors);
    expect(errors.list[0]?.detail).toContain('but is too long for that to be found out');
  });
});
