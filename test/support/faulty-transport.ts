// A wire that breaks as it is told: the only thing between client and server that tests replace.
import type { Transport, TransportRequest, TransportResponse } from '#client/transport.ts';

/** What happens to one request. */
export type Fault =
  | { readonly is: 'none' }
  /** No answer at all. */
  | { readonly is: 'lost' }
  /** The answer ends in the middle: after so many bytes of its body. */
  | { readonly is: 'cut'; readonly after: number }
  /** The answer stops as if it were complete. */
  | { readonly is: 'ended'; readonly after: number }
  /** The client's resourceVersion is older than anything the server knows. */
  | { readonly is: 'expired' }
  | { readonly is: 'refused'; readonly code: number };

export class FaultyWire {
  readonly #transport: Transport;
  #faults: Fault[] = [];
  readonly asked: string[] = [];
  #breakOff = new AbortController();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One for each of the next requests; after them everything goes well. */
  schedule(faults: readonly Fault[]): void {
    this.#faults = [...faults];
  }

  /** Breaks every answer that is under way. */
  breakOff(): void {
    this.#breakOff.abort(new Error('connection lost'));
    this.#breakOff = new AbortController();
  }

  calm(): void {
    this.#faults = [];
  }

  readonly send: Transport = async (request) => {
    this.asked.push(request.path);
    const fault = this.#faults.shift() ?? { is: 'none' };
    if (fault.is === 'lost') throw new Error('connection lost');
    if (fault.is === 'refused') return refusal(fault.code);
    const broken = this.#breakOff.signal;
    const signal = request.signal ? AbortSignal.any([request.signal, broken]) : broken;
    const response = await this.#transport({ ...(fault.is === 'expired' ? fromLongAgo(request) : request), signal });
    const limit = fault.is === 'cut' || fault.is === 'ended' ? fault.after : Number.POSITIVE_INFINITY;
    return { ...response, chunks: inPieces(response.chunks, limit, fault.is === 'cut') };
  };
}

function refusal(code: number): TransportResponse {
  const body = Buffer.from(JSON.stringify({ kind: 'Status', code, message: `refused with ${code}` }));
  return {
    code,
    headers: {},
    chunks: (async function* () {
      yield body;
    })(),
  };
}

function fromLongAgo(request: TransportRequest): TransportRequest {
  return { ...request, path: request.path.replace(/resourceVersion=\d+/, 'resourceVersion=1') };
}

async function* inPieces(chunks: AsyncIterable<Uint8Array>, limit: number, breaks: boolean): AsyncGenerator<Uint8Array> {
  let left = limit;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, Math.min(at + pieceBytes, at + left, chunk.length));
      left -= piece.length;
      yield piece;
      if (left > 0) continue;
      if (breaks) throw new Error('connection lost');
      return;
    }
  }
}

/** Small and odd, so that no frame and no character comes in one piece. */
const pieceBytes = 97;
