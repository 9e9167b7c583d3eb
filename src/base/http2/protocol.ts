// The numbers of RFC 9113, and the one error that ends a connection.

export const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  rstStream: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const flags = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const errorCodes = {
  none: 0,
  protocol: 1,
  internal: 2,
  flowControl: 3,
  streamClosed: 5,
  frameSize: 6,
  refusedStream: 7,
  cancel: 8,
  compression: 9,
  enhanceYourCalm: 11,
} as const;

export const settingIds = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
  maxHeaderListSize: 6,
} as const;

export const frameHeadBytes = 9;
/** What both sides take unless they say otherwise; we never say otherwise. */
export const defaultMaxFrameBytes = 16_384;
export const defaultWindow = 65_535;
export const maxWindow = 2 ** 31 - 1;
export const maxStreamId = 2 ** 31 - 1;
export const clientPreface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** The peer has broken a rule after which the connection cannot go on. */
export class ConnectionError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
