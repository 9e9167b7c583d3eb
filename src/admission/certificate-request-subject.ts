// Whom a PKCS #10 certificate request is for. Reads just the subject; whether the request is sound is the kind's business.

export interface RequestSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

interface Element {
  readonly tag: number;
  readonly content: Buffer;
}

const commonName = '550403';
const organization = '55040a';

/** `request` is base64 of a PEM text, as spec.request has it. Undefined when there is no request in it. */
export function subjectOfRequest(request: string): RequestSubject | undefined {
  const pem = Buffer.from(request, 'base64').toString('latin1');
  const body = /-----BEGIN CERTIFICATE REQUEST-----([\s\S]*?)-----END CERTIFICATE REQUEST-----/.exec(pem)?.[1];
  return body === undefined ? undefined : readSubject(Buffer.from(body, 'base64'));
}

function readSubject(der: Buffer): RequestSubject | undefined {
  const [request] = elements(der);
  const [information] = elements(request?.content ?? Buffer.alloc(0));
  const [, subject] = elements(information?.content ?? Buffer.alloc(0));
  if (subject === undefined) return undefined;
  const attributes = elements(subject.content).flatMap(({ content }) => elements(content));
  const values = (type: string) => attributes.flatMap(({ content }) => valueOf(elements(content), type));
  return { commonName: values(commonName).at(-1) ?? '', organizations: values(organization) };
}

function valueOf([type, value]: readonly Element[], wanted: string): string[] {
  return type?.content.toString('hex') === wanted && value ? [value.content.toString(value.tag === 0x1e ? 'utf16le' : 'utf8')] : [];
}

/** The elements that stand one after another; a broken one ends the list. */
function elements(der: Buffer): Element[] {
  const found: Element[] = [];
  for (let at = 0; at + 2 <= der.length; ) {
    const first = der[at + 1] ?? 0;
    const extra = first > 0x80 ? first - 0x80 : 0;
    const length = extra === 0 ? first : extra <= 4 && at + 2 + extra <= der.length ? der.readUIntBE(at + 2, extra) : Number.POSITIVE_INFINITY;
    const start = at + 2 + extra;
    if (start + length > der.length) return found;
    found.push({ tag: der[at] ?? 0, content: der.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}
