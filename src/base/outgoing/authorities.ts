// Whom a connection trusts that was given no authorities of its own: those that come with node, those of SSL_CERT_FILE, as programs in Go do, and those
// of NODE_EXTRA_CA_CERTS. node would read all of them before it runs the first line (20 to 60 ms of a start), so that the launchers of the build
// (tools/launchers.mjs) hide both variables from it, and they are read here when a connection needs them.
import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';

type Environment = Readonly<Record<string, string | undefined>>;

const variables = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'];

/** The launchers set it for each of the variables; empty where the user had not set it. */
const hidden = (name: string) => `BINNACLE_${name}`;

/** Options of a TLS connection that trusts `ca`. */
export function trusting<T>(ca: T | undefined, env: Environment = process.env): { readonly ca?: T | string[] } {
  if (ca !== undefined) return { ca };
  return isHidden(env) ? { ca: [...rootCertificates, ...variables.flatMap((name) => contentOf(env[hidden(name)] ?? ''))] } : {};
}

/** What the user has set, for programs that are started from here. */
export function environmentOfUser(env: Environment): Environment {
  if (!isHidden(env)) return env;
  const given = Object.fromEntries(variables.map((name) => [name, env[hidden(name)] || undefined]));
  const ours = Object.fromEntries(variables.map((name) => [hidden(name), undefined]));
  return { ...env, ...given, ...ours };
}

function isHidden(env: Environment): boolean {
  return variables.some((name) => env[hidden(name)] !== undefined);
}

/** Like node and Go we go on without a file that cannot be read. */
function contentOf(file: string): readonly string[] {
  if (file === '') return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    return [];
  }
}
