/** A number, or its share of `total`: `25%`. */
export function intOrPercent(value: number | string, total: number, rounding: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const percent = /^([0-9]+)%$/.exec(value);
  if (percent === null) throw new Error('invalid value for IntOrString: invalid type: string is not a percentage');
  const share = (Number(percent[1]) * total) / 100;
  return rounding === 'up' ? Math.ceil(share) : Math.floor(share);
}
