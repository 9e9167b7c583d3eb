// The question to a conversion webhook and what is read from its answer, in the versions v1 and v1beta1.
import { goQuote } from '#base/go-text.ts';
import { writeJson } from '#schema/json/json-text.ts';

export type ReviewVersion = 'v1' | 'v1beta1';

export interface ConversionQuestion {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly desiredApiVersion: string;
  readonly objects: readonly object[];
}

type Fields = Readonly<Record<string, unknown>>;

const group = 'apiextensions.k8s.io';
const knownVersions: readonly unknown[] = [`${group}/v1`, `${group}/v1beta1`];

/** The first of the versions that both sides know; undefined when there is none. */
export function reviewVersionOf(versions: readonly string[]): ReviewVersion | undefined {
  return versions.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

export function reviewText({ version, uid, desiredApiVersion, objects }: ConversionQuestion): string {
  return writeJson({
    kind: 'ConversionReview',
    apiVersion: `${group}/${version}`,
    request: { uid, desiredAPIVersion: desiredApiVersion, objects },
    response: { uid: '', convertedObjects: null, result: { metadata: {} } },
  });
}

/** Throws an Error with the words of the original's decoder for an answer of another kind. */
export function refuseOtherKinds(answer: Fields, expected: ReviewVersion): void {
  const { kind = 'ConversionReview', apiVersion = `${group}/${expected}` } = answer;
  if (kind === 'ConversionReview' && knownVersions.includes(apiVersion)) return;
  throw new Error(`no kind ${goQuote(String(kind))} is registered for version ${goQuote(String(apiVersion))} in scheme "pkg/runtime/scheme.go:111"`);
}

/** Throws an Error with the original's words for a failure that the webhook reports, and for an answer to another question. */
export function convertedObjects(answer: Fields, { version, uid }: Pick<ConversionQuestion, 'version' | 'uid'>): readonly unknown[] {
  const isExpected = answer['apiVersion'] === `${group}/${version}` && answer['kind'] === 'ConversionReview';
  if (version === 'v1' && !isExpected) {
    // A review of another version is not decoded into ours, which stays empty.
    throw new Error(`expected webhook response of ${group}/v1, Kind=ConversionReview, got /, Kind=`);
  }
  const response = answer['apiVersion'] === `${group}/${version}` || version === 'v1beta1' ? answer['response'] : undefined;
  if (!isFields(response)) throw new Error('no response provided');
  const given = typeof response['uid'] === 'string' ? response['uid'] : '';
  if (version === 'v1' && given !== uid) throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(given)}`);
  refuseFailure(isFields(response['result']) ? response['result'] : {});
  return Array.isArray(response['convertedObjects']) ? response['convertedObjects'] : [];
}

function refuseFailure({ status, message }: Fields): void {
  if (status === 'Success') return;
  if (typeof message === 'string' && message !== '') throw new Error(message);
  throw new Error(`response.result.status was '${typeof status === 'string' ? status : ''}', not 'Success'`);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
