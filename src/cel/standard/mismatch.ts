/** What operators say when no overload takes their operands: cel-go distinguishes whether the left operand's type knows the operator at all. */
import { type CelValue, typeNameOf } from '../value.ts';

const shortNames: Readonly<Record<string, string>> = { 'google.protobuf.Timestamp': 'timestamp', 'google.protobuf.Duration': 'duration' };

/** Types that are asked themselves what no overload takes, and have few words for it. */
export const receivers: ReadonlySet<string> = new Set(['string', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);

export function operatorMismatch(name: string, leftTypes: readonly string[]): (args: readonly CelValue[]) => string {
  return ([left = null]) => {
    const type = typeNameOf(left);
    return receivers.has(type) || leftTypes.includes(shortNames[type] ?? type) ? 'no such overload' : `no such overload: ${name}`;
  };
}
