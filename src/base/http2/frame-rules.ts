// What every frame of a kind has to fulfil; if it does not, the connection ends.
import { ConnectionError, errorCodes } from '#base/http2/protocol.ts';

export function onStream(id: number): void {
  if (id === 0) throw protocolError('a frame of a stream on none');
}

export function onConnection(id: number): void {
  if (id !== 0) throw protocolError('a frame of the connection on a stream');
}

export function exactly(length: number, payload: Buffer): void {
  if (payload.length !== length) throw new ConnectionError(errorCodes.frameSize, 'a frame has the wrong size');
}

export function protocolError(message: string): ConnectionError {
  return new ConnectionError(errorCodes.protocol, message);
}
