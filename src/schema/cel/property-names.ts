// Property names as CEL sees them: what is no identifier, or a reserved word, is written in an escaped form that can be read back.

const reserved = new Set('true false null in as break const continue else for function if import let loop package namespace return var void while'.split(' '));

const symbols: readonly (readonly [symbol: string, escaped: string])[] = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
];

/** The name in expressions; undefined for names that cannot be written in one. */
export function celName(property: string): string | undefined {
  if (reserved.has(property)) return `__${property}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(property)) return undefined;
  return property.replace(/__|[./-]/g, (symbol) => symbols.find(([each]) => each === symbol)?.[1] ?? symbol);
}
