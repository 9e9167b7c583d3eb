// The file of --encryption-provider-config, read strictly: a field that nobody knows, or a value of another type, is a mistake of the operator.
import { readFileSync } from 'node:fs';
import { misfits, type Shape } from '#app/config-shape.ts';
import { goQuote } from '#base/go-text.ts';
import { DurationError } from '#base/time/duration.ts';
import type { EncryptionConfiguration, ResourceRule } from '#encryption/configuration.ts';
import { aggregated } from '#encryption/transformer.ts';
import { configurationErrors } from '#encryption/validate-configuration.ts';
import { readYaml } from '#schema/yaml/yaml.ts';

const keys: Shape = { fields: { keys: { listOf: { fields: { name: 'text', secret: 'text' } } } } };
const kms: Shape = { fields: { apiVersion: 'text', name: 'text', cachesize: 'number', endpoint: 'text', timeout: 'text' } };
const provider: Shape = { fields: { aesgcm: keys, aescbc: keys, secretbox: keys, identity: { fields: {} }, kms } };
const rule: Shape = { fields: { resources: { listOf: 'text' }, providers: { listOf: provider } } };
const shape: Shape = { fields: { kind: 'text', apiVersion: 'text', resources: { listOf: rule } } };

const known = new Set(['apiserver.config.k8s.io/v1, Kind=EncryptionConfiguration', 'v1, Kind=EncryptionConfig']);
const otherKinds = ['AdmissionConfiguration', 'AuthenticationConfiguration', 'AuthorizationConfiguration', 'TracingConfiguration'];

/** Throws an Error in the words of the original, as `parseEncryptionConfiguration` does; they never hold a secret. */
export function encryptionFileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file or directory' : code === 'EACCES' ? 'permission denied' : message;
    throw new Error(
      `error while parsing file: error while loading file: error reading encryption provider configuration file ${goQuote(file)}: open ${file}: ${why}`,
    );
  }
}

export function parseEncryptionConfiguration(file: string, text: string, reloading: boolean): EncryptionConfiguration {
  if (text === '') throw new Error(`error while parsing file: error while loading file: encryption provider configuration file ${goQuote(file)} is empty`);
  const configuration = decoded(file, text);
  const problems = problemsOf(configuration, reloading);
  if (problems.length > 0) throw new Error(`error while parsing file: ${aggregated(problems)}`);
  return configuration;
}

function problemsOf(configuration: EncryptionConfiguration, reloading: boolean): readonly string[] {
  try {
    return configurationErrors(configuration, reloading);
  } catch (error) {
    if (error instanceof DurationError) return [error.message];
    throw error;
  }
}

function decoded(file: string, text: string): EncryptionConfiguration {
  const refuse = (why: string): never => {
    throw new Error(`error while parsing file: error decoding encryption provider configuration file ${goQuote(file)}: ${why}`);
  };
  const { value, problem } = parsed(text, refuse);
  const { kind = '', apiVersion = '', resources } = value as { kind?: string; apiVersion?: string; resources?: readonly Partial<ResourceRule>[] };
  const type = `${apiVersion}, Kind=${kind}`;
  if (!known.has(type)) {
    if (apiVersion.startsWith('apiserver.config.k8s.io/') && otherKinds.includes(kind))
      throw new Error(`error while parsing file: got unexpected config type: ${type}`);
    refuse(kind === '' ? "Object 'Kind' is missing" : `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`);
  }
  const unfit = misfits(value, shape);
  const strict = [...(problem === undefined ? [] : [problem]), ...unfit.filter((one) => one.startsWith('unknown field'))];
  const mistyped = unfit.filter((one) => !one.startsWith('unknown field'));
  if (mistyped.length > 0) refuse(mistyped.join(', '));
  if (strict.length > 0) refuse(`strict decoding error: ${strict.join(', ')}`);
  return { resources: (resources ?? []).map((one) => ({ resources: one.resources ?? [], providers: one.providers ?? [] })) };
}

function parsed(text: string, refuse: (why: string) => never): { readonly value: object; readonly problem: string | undefined } {
  try {
    const { value, problem } = readYaml(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { value, problem } : refuse('the file holds no object');
  } catch (error) {
    return refuse((error as Error).message);
  }
}
