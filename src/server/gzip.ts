// gzip on another thread, as promises. node:zlib is first touched by a call: a start compresses nothing.
import { gunzip, gzip, type InputType, type ZlibOptions } from 'node:zlib';

export function gzipped(content: InputType, options: ZlibOptions = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(content, options, (error, bytes) => (error ? reject(error) : resolve(bytes)));
  });
}

export function gunzipped(bytes: InputType, options: ZlibOptions = {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(bytes, options, (error, content) => (error ? reject(error) : resolve(content)));
  });
}
