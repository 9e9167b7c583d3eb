import type { InProcessResponse } from '#server/front/in-process-carrier.ts';

export interface ReadAnswer {
  readonly code: number;
  readonly headers: InProcessResponse['headers'];
  readonly text: string;
  /** Undefined when the answer is no JSON. */
  readonly json: unknown;
}

export async function readAnswer({ code, headers, chunks }: InProcessResponse): Promise<ReadAnswer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const text = Buffer.concat(parts).toString();
  return { code, headers, text, json: headers['content-type']?.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined };
}
