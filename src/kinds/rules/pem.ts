// PEM blocks, found the way Go's encoding/pem finds them: text around them is skipped.

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: Buffer;
}

const block = /(?:^|\n)-----BEGIN ([^\n-]*(?:-[^\n-]+)*)-----[ \t\r]*\n([\s\S]*?)-----END \1-----[ \t\r]*(?=\n|$)/g;

export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(block)].map(([, type = '', body = '']) => {
    const headers = /^(?:[^\n:]+:[^\n]*\n)+/.exec(body)?.[0] ?? '';
    return { type, hasHeaders: headers !== '', der: Buffer.from(body.slice(headers.length).replace(/\s/g, ''), 'base64') };
  });
}
