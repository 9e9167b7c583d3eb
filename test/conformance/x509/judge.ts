// Asks the Go program, and ourselves, the same questions.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { attempt } from '#base/pki/attempt.ts';
import { type Certificate, parseCertificate } from '#base/pki/certificate.ts';
import { parseRequestPem } from '#base/pki/certificate-request.ts';
import { commonNameOf, type DistinguishedName, organizationsOf } from '#base/pki/distinguished-name.ts';
import { pemBlocks } from '#base/pki/pem.ts';
import { isTrustedClient } from '#base/pki/verify-chain.ts';

/** Bytes are in base64. */
export interface Questions {
  readonly chains: readonly { readonly shown: readonly string[]; readonly roots: readonly string[]; readonly at: string }[];
  readonly pems: readonly string[];
  readonly requests: readonly string[];
}

export interface Verdict {
  readonly accepted: boolean;
  /** Only told: whose words they are does not matter. */
  readonly problem?: string;
  readonly commonName?: string;
  readonly organizations?: readonly string[];
}

export interface Block {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly der: string;
}

export interface Answers {
  readonly chains: readonly Verdict[];
  readonly pems: readonly (readonly Block[])[];
  readonly requests: readonly Verdict[];
}

export function hasGo(): boolean {
  return spawnSync('go', ['version']).status === 0;
}

export function judgedByGo(questions: Questions): Answers {
  const cwd = dirname(fileURLToPath(import.meta.url));
  const { status, stdout, stderr } = spawnSync('go', ['run', '.'], { cwd, input: JSON.stringify(questions), maxBuffer: 2 ** 30, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the Go program failed: ${stderr}`);
  return JSON.parse(stdout) as Answers;
}

export function judgedByUs({ chains, pems, requests }: Questions): Answers {
  return {
    chains: chains.map(judgeChain),
    pems: pems.map((text) => pemBlocks(bytesOf(text)).map(({ type, hasHeaders, der }) => ({ type, hasHeaders, der: der.toString('base64') }))),
    requests: requests.map(judgeRequest),
  };
}

function judgeChain({ shown, roots, at }: Questions['chains'][number]): Verdict {
  const all = (texts: readonly string[]): Certificate[] => texts.map((text) => parseCertificate(bytesOf(text)));
  const { value, problem } = attempt(() => ({ shown: all(shown), roots: all(roots) }));
  if (value === undefined) return { accepted: false, problem };
  const [leaf, ...intermediates] = value.shown;
  if (leaf === undefined || !isTrustedClient({ leaf, intermediates, roots: value.roots, now: Date.parse(at) })) return { accepted: false };
  return accepted(leaf.subject);
}

function judgeRequest(text: string): Verdict {
  const { value, problem } = attempt(() => parseRequestPem(bytesOf(text)));
  const wrong = problem ?? value?.signatureProblem();
  return value === undefined || wrong !== undefined ? { accepted: false, problem: String(wrong) } : accepted(value.subject);
}

function accepted(subject: DistinguishedName): Verdict {
  const [commonName, organizations] = [commonNameOf(subject), organizationsOf(subject)];
  return { accepted: true, ...(commonName !== '' && { commonName }), ...(organizations.length > 0 && { organizations }) };
}

const bytesOf = (text: string) => Buffer.from(text, 'base64');
