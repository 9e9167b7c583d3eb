import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { BoundedPattern, unfoldedStates } from './bounded-pattern.ts';

const atom = fc.constantFrom('a', '.', '\\d', '\\pL', '\\x{61}', '[a-z]', '[^]a]', '[[:alpha:]_]', '\\Qa(b{9}\\E', '\\.', '^', '$', '(?:)');
const quantifier = fc.constantFrom('', '', '*', '+?', '?', '{3}', '{2,}', '{0,7}', '{31}');
const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  piece: fc.oneof(
    { depthSize: 'small' },
    atom,
    tie('pattern').map((inner) => `(${inner})`),
    tie('pattern').map((inner) => `(?i:${inner}|b)`),
  ),
  pattern: fc.array(fc.tuple(tie('piece'), quantifier), { minLength: 1, maxLength: 4 }).map((parts) => parts.map((part) => part.join('')).join('')),
}));

describe('unfoldedStates', () => {
  it('is at least half of what the compiled expression has', () => {
    fc.assert(
      fc.property(pattern, (text) => {
        let size: number;
        try {
          size = RE2JS.compile(text).programSize();
        } catch {
          return;
        }
        expect(2 * unfoldedStates(text) + 4).toBeGreaterThanOrEqual(size);
      }),
    );
  });

  it('takes no longer for brackets that are never closed', () => {
    expect(unfoldedStates('['.repeat(1_000_000))).toBe(0);
  });
});

describe('BoundedPattern', () => {
  it('refuses what unfolds to too many states, in the words of Go', () => {
    expect(() => new BoundedPattern('a{1000}'.repeat(21))).toThrow('error parsing regexp: expression too large');
    expect(() => new BoundedPattern('a'.repeat(3_000_000))).toThrow('error parsing regexp: expression too large');
  });

  it('leaves what cannot be read to the compiler', () => {
    expect(() => new BoundedPattern('['.repeat(30_000))).toThrow('missing closing ]');
  });

  it('says which texts are too long to be searched', () => {
    const pattern = new BoundedPattern('^[ab]*a[ab]{900}c$');
    expect(pattern.canSearch('ab'.repeat(4_000))).toBe(true);
    expect(pattern.canSearch('ab'.repeat(400_000))).toBe(false);
    expect(new BoundedPattern('^[a-z0-9]*$').canSearch('a'.repeat(1_500_000))).toBe(true);
  });
});
