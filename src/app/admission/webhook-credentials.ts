// What admission webhooks are shown of this server: the users of the kubeconfig that WebhookAdmissionConfiguration names, found by the webhook's
// host as apiserver's defaultAuthenticationInfoResolver does.
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import type { WebhookCredentials } from '#admission/webhooks/webhook.ts';
import type { PluginConfigurations } from '#app/admission/admission-config.ts';
import { FlagError } from '#app/flags/flags.ts';
import { parseYaml } from '#schema/yaml/yaml.ts';

type UserEntry = Readonly<Record<string, string | object | undefined>>;

interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly contexts?: readonly { readonly name: string; readonly context: { readonly user?: string } }[];
  readonly users?: readonly { readonly name: string; readonly user: UserEntry }[];
}

/** `plugin` is the one whose configuration is asked for. Files are read at the start, once. */
export function webhookCredentials(configurations: PluginConfigurations, plugin: string): (hostPort: string) => WebhookCredentials {
  const { kubeConfigFile: file = '' } = (configurations.get(plugin) ?? {}) as Readonly<Record<string, string | undefined>>;
  if (file === '') return () => ({});
  if (!isAbsolute(file)) throw refused(plugin, `kubeConfigFile: Invalid value: ${JSON.stringify(file)}: must be an absolute file path`);
  const config = readKubeconfig(plugin, file);
  const users = new Map((config.users ?? []).map(({ name, user }) => [name, credentialsOf(plugin, user, dirname(file))]));
  const current = config.contexts?.find(({ name }) => name === config['current-context'])?.context.user;
  return (hostPort) => namesFor(hostPort).flatMap((name) => users.get(name) ?? [])[0] ?? users.get('*') ?? users.get(current ?? '') ?? {};
}

function readKubeconfig(plugin: string, file: string): Kubeconfig {
  try {
    return (parseYaml(readFileSync(file)) ?? {}) as Kubeconfig;
  } catch (error) {
    throw refused(plugin, (error as Error).message);
  }
}

/** The host itself, then wildcards from the longest on; all of it again without the port when that is 443. */
function namesFor(hostPort: string): readonly string[] {
  const wildcards = (host: string) => {
    const steps = host.split('.');
    return [host, ...steps.slice(1).map((_, index) => `*.${steps.slice(index + 1).join('.')}`)];
  };
  return hostPort.endsWith(':443') ? [...wildcards(hostPort), ...wildcards(hostPort.slice(0, -':443'.length))] : wildcards(hostPort);
}

function credentialsOf(plugin: string, user: UserEntry, folder: string): WebhookCredentials {
  if (user['exec'] !== undefined || user['auth-provider'] !== undefined) throw refused(plugin, 'exec and auth provider not supported');
  const text = (name: string) => (typeof user[name] === 'string' && user[name] !== '' ? user[name] : undefined);
  const read = (name: string) => {
    const [data, file] = [text(`${name}-data`), text(name)];
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    return file === undefined ? undefined : readFileSync(resolve(folder, file), 'utf8');
  };
  const tokenFile = text('tokenFile');
  const token = text('token') ?? (tokenFile === undefined ? undefined : readFileSync(resolve(folder, tokenFile), 'utf8').trim());
  const basic = text('username') === undefined ? undefined : Buffer.from(`${text('username')}:${text('password') ?? ''}`).toString('base64');
  const authorization = token === undefined ? basic && `Basic ${basic}` : `Bearer ${token}`;
  return { cert: read('client-certificate'), key: read('client-key'), ...(authorization && { headers: { authorization } }) };
}

function refused(plugin: string, why: string): FlagError {
  return new FlagError(`failed to initialize admission: couldn't init admission plugin "${plugin}": ${why}`);
}
