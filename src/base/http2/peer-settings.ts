import { ConnectionError, errorCodes, maxWindow, settingIds } from '#base/http2/protocol.ts';

/** Only what was said. */
export interface PeerSettings {
  readonly headerTableSize?: number;
  readonly maxConcurrentStreams?: number;
  readonly initialWindowSize?: number;
  readonly maxFrameSize?: number;
}

/** What matters to us of a SETTINGS frame; the last word on each counts. */
export function readSettings(payload: Buffer): PeerSettings {
  if (payload.length % 6 !== 0) throw new ConnectionError(errorCodes.frameSize, 'SETTINGS are cut off');
  const settings: { -readonly [key in keyof PeerSettings]: PeerSettings[key] } = {};
  for (let at = 0; at < payload.length; at += 6) {
    const id = payload.readUInt16BE(at);
    const value = payload.readUInt32BE(at + 2);
    refuseInvalid(id, value);
    if (id === settingIds.headerTableSize) settings.headerTableSize = value;
    else if (id === settingIds.maxConcurrentStreams) settings.maxConcurrentStreams = value;
    else if (id === settingIds.initialWindowSize) settings.initialWindowSize = value;
    else if (id === settingIds.maxFrameSize) settings.maxFrameSize = value;
  }
  return settings;
}

function refuseInvalid(id: number, value: number): void {
  if (id === settingIds.enablePush && value > 1) throw new ConnectionError(errorCodes.protocol, 'SETTINGS_ENABLE_PUSH is 0 or 1');
  if (id === settingIds.initialWindowSize && value > maxWindow) throw new ConnectionError(errorCodes.flowControl, 'SETTINGS_INITIAL_WINDOW_SIZE is too large');
  if (id === settingIds.maxFrameSize && (value < 16_384 || value > 16_777_215))
    throw new ConnectionError(errorCodes.protocol, 'SETTINGS_MAX_FRAME_SIZE is out of range');
}
