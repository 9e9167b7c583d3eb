/** What operators say when no overload takes their operands: cel-go distinguishes whether the left operand's type knows the operator at all. */
import { type CelValue, typeNameOf } from '../value.ts';

const shortNames: Readonly<Record<string, string>> = { 'google.protobuf.Timestamp': 'timestamp', 'google.protobuf.Duration': 'duration' };

export function operatorMismatch(name: string, leftTypes: readonly string[]): (args: readonly CelValue[]) => string {
  return ([left = null]) => {
    const type = typeNameOf(left);
    return leftTypes.includes(shortNames[type] ?? type) ? 'no such overload' : `no such overload: ${name}`;
  };
}
