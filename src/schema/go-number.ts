// Numbers the way Go's %v writes them.

/** Like JavaScript, but small numbers change to the exponent form earlier, and exponents have two digits. */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint' || Number.isInteger(value)) return exponent(String(value));
  const size = Math.abs(value);
  return exponent(size !== 0 && size < 1e-4 ? value.toExponential() : String(value));
}

function exponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
