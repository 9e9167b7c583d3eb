// The backend of ImagePolicyWebhook: an HTTPS server that a kubeconfig file names.
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { trusting } from '#base/outgoing/authorities.ts';
import type { ImagePolicyOptions, ImageReviewStatus } from '#admission/plugins/image-policy-webhook.ts';
import type { PluginConfigurations } from '#app/admission/admission-config.ts';
import { FlagError } from '#app/flags/flags.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';

interface Backend {
  readonly url: string;
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
  readonly token?: string | undefined;
}

const timeoutMs = 30_000;

export function imagePolicyOptions(configurations: PluginConfigurations): ImagePolicyOptions {
  const {
    kubeConfigFile,
    allowTTL = 0,
    denyTTL = 0,
    defaultAllow = false,
  } = (configurations.get('ImagePolicyWebhook')?.['imagePolicy'] ?? {}) as {
    kubeConfigFile?: string;
    allowTTL?: number;
    denyTTL?: number;
    defaultAllow?: boolean;
  };
  if (!kubeConfigFile) throw new FlagError(`couldn't init admission plugin "ImagePolicyWebhook": no config specified`);
  const backend = readBackend(kubeConfigFile);
  return {
    defaultAllow,
    allowTtlMs: milliseconds(allowTTL, 300),
    denyTtlMs: milliseconds(denyTTL, 30),
    review: async (spec) => {
      const body = JSON.stringify({ kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', metadata: {}, spec, status: { allowed: false } });
      const { status } = JSON.parse(await post(backend, body)) as { status?: ImageReviewStatus };
      return status ?? { allowed: false };
    },
  };
}

/** Seconds; 0 stands for the default, -1 for not at all. */
function milliseconds(seconds: number, byDefault: number): number {
  if (seconds === -1) return 0;
  return (seconds === 0 ? byDefault : seconds) * 1000;
}

interface Kubeconfig {
  readonly clusters?: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users?: readonly { readonly user: Readonly<Record<string, string>> }[];
}

function readBackend(file: string): Backend {
  const { clusters = [], users = [] } = parseYaml(readFileSync(file)) as Kubeconfig;
  const [cluster, user] = [clusters[0]?.cluster ?? {}, users[0]?.user ?? {}];
  const read = (from: Readonly<Record<string, string>>, key: string) => {
    const [path, data] = [from[key], from[`${key}-data`]];
    return data === undefined ? path && readFileSync(path) : Buffer.from(data, 'base64');
  };
  return {
    url: cluster['server'] ?? '',
    ca: read(cluster, 'certificate-authority') || undefined,
    cert: read(user, 'client-certificate') || undefined,
    key: read(user, 'client-key') || undefined,
    token: user['token'],
  };
}

function post({ url, token, ca, ...identity }: Backend, body: string): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', headers, timeout: timeoutMs, ...identity, ...trusting(ca) }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      const fine = response.statusCode !== undefined && response.statusCode >= 200 && response.statusCode < 300;
      response.on('end', () => (fine ? resolve(text) : reject(new Error(`Error contacting webhook: ${response.statusCode}`)))).on('error', reject);
    });
    call.on('timeout', () => call.destroy(new Error('timeout'))).on('error', reject);
    call.end(body);
  });
}
