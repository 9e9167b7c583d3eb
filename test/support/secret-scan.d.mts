export function tracesOf(secret: string): string[];
export function findTraces(text: string, traces: Iterable<string>): string[];
