// What must hold of an envelope before it is stored or believed, in the words of the original.
import { dns1123SubdomainProblems } from '#base/formats.ts';
import { goQuote } from '#base/go-text.ts';
import { type Annotations, dekSourceType, type EncryptedObject } from '#encryption/kms/kms-messages.ts';
import { aggregated } from '#encryption/transformer.ts';

const mostAnnotations = 32 * 1024;
const mostKeyId = 1024;
const mostDekSource = 1024;

export function refuseInvalidObject(object: EncryptedObject): void {
  const problem = objectProblem(object);
  if (problem !== undefined) throw new Error(problem);
}

function objectProblem({ dekSourceType: type, data, dekSource, keyId, annotations }: EncryptedObject): string | undefined {
  if (type !== dekSourceType.aesGcmKey && type !== dekSourceType.hkdfSeed) return `unknown encryptedDEKSourceType: ${type}`;
  if (data.length === 0) return 'encrypted data is empty';
  if (dekSource.length === 0) return 'failed to validate encrypted DEK source: encrypted DEK source is empty';
  if (dekSource.length > mostDekSource) {
    return `failed to validate encrypted DEK source: encrypted DEK source is ${dekSource.length} bytes, which exceeds the max size of ${mostDekSource}`;
  }
  const ofKey = keyIdProblem(keyId);
  if (ofKey !== undefined) return `failed to validate key id: ${ofKey}`;
  const ofAnnotations = annotationProblems(annotations);
  return ofAnnotations.length === 0 ? undefined : `failed to validate annotations: ${aggregated(ofAnnotations)}`;
}

export function keyIdProblem(keyId: string): string | undefined {
  const size = Buffer.byteLength(keyId);
  if (size === 0) return 'keyID is empty';
  return size > mostKeyId ? `keyID is ${size} bytes, which exceeds the max size of ${mostKeyId}` : undefined;
}

function annotationProblems(annotations: Annotations): readonly string[] {
  const named = [...annotations.keys()].flatMap((name) => nameProblem(name) ?? []);
  const size = [...annotations].reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + value.length, 0);
  return size > mostAnnotations ? [...named, `total size of annotations is ${size}, which exceeds the max size of ${mostAnnotations}`] : named;
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'annotations: Required value';
  const [problem = name.includes('.') ? undefined : 'should be a domain with at least two segments separated by dots'] = dns1123SubdomainProblems(name);
  return problem === undefined ? undefined : `annotations: Invalid value: ${goQuote(name)}: ${problem}`;
}
