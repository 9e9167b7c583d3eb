/** A port that a server shall listen on cannot be had. */
export class PortError extends Error {
  override readonly name = 'PortError';
}
