// What client-go makes of a webhook's answer before it looks at the review in it: status codes become errors in its words, the body a value.
import { goQuote } from '#base/go-text.ts';
import type { OutgoingAnswer } from '#base/outgoing/outgoing-clients.ts';
import { noTypeMeta, typeMetaProblem } from '#resource/type-meta-problem.ts';
import { parseJson } from '#schema/json/parse-json.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';

/** The webhook answered, but with an error. */
export class RemoteStatus extends Error {
  override readonly name = 'RemoteStatus';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const mostErrorText = 2048;
/** YAML takes longer to read than JSON, and nobody answers in it. */
const mostYamlBytes = 1 << 20;

const unreadable = "couldn't get version/kind; json parse error";

/** Throws a RemoteStatus for an answer that is an error, an Error for one that cannot be read. */
export function webhookAnswer({ code, contentType, body }: OutgoingAnswer): Readonly<Record<string, unknown>> {
  if (code < 200 || code > 206) throw statusOf(body) ?? unexpectedAnswer(code, contentType, body);
  if (body.length === 0) throw new Error(`0-length response with status code: ${code} and content type: ${contentType || 'application/json'}`);
  const value = parsed(body) ?? {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new Error(noTypeMeta(value));
  const problem = typeMetaProblem(value);
  if (problem !== undefined) throw new Error(problem);
  return value as Readonly<Record<string, unknown>>;
}

/** Some servers say what is wrong as the API does. */
function statusOf(body: Buffer): RemoteStatus | undefined {
  if (!body.includes('"Status"')) return undefined;
  try {
    const { kind, apiVersion, status, message, code } = JSON.parse(body.toString()) as Readonly<Record<string, unknown>>;
    if (kind !== 'Status' || apiVersion !== 'v1' || status === 'Success') return undefined;
    return new RemoteStatus(typeof code === 'number' ? code : 500, typeof message === 'string' ? message : '');
  } catch {
    return undefined;
  }
}

function parsed(body: Buffer): unknown {
  if (body[0] !== 0x7b && body.length <= mostYamlBytes) return parseYaml(body);
  try {
    return parseJson(body).value;
  } catch (error) {
    throw new Error(`${unreadable}: ${(error as Error).message}`, { cause: error });
  }
}

/** As apimachinery's NewGenericServerResponse words them. */
function unexpectedAnswer(code: number, contentType: string, body: Buffer): RemoteStatus {
  const isText = contentType === '' || contentType.trim().toLowerCase().startsWith('text/');
  const said = isText ? body.subarray(0, mostErrorText).toString().trim() : 'unknown';
  return new RemoteStatus(code, wordsFor(code, said));
}

const words: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function wordsFor(code: number, said: string): string {
  const known = words[code];
  if (known !== undefined) return known;
  if (code === 403 || code === 415) return said;
  if (code === 406) return said === '' || said === 'unknown' ? 'the server was unable to respond with a content type that the client supports' : said;
  if (code >= 500) return `an error on the server (${goQuote(said)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}
