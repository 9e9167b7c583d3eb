// /statusz and /flagz: what this process is and how it was started, for people and for debugging tools.
import { ApiError } from '#api/api-error.ts';
import type { Clock } from '#base/clock.ts';
import { type AcceptClause, parseAccept } from '#server/answer/accept-header.ts';
import { sendText } from '#server/answer/document.ts';
import type { Exchange, Handler } from '#server/front/exchange.ts';
import type { Cbor } from '#schema/cbor/cbor.ts';
import { mediaTypes, type Offer, type Representation } from '#server/answer/negotiate.ts';
import { kubernetesVersion } from '#server/pages/version.ts';

const disclaimer =
  'Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.';
const paths = ['/flagz', '/healthz', '/livez', '/metrics', '/readyz', '/statusz', '/version'];

export function statuszHandler(started: Date, clock: Clock, offer?: Offer): Handler {
  return zpage('Statusz', offer, {
    facts: () => ({
      startTime: started.toISOString().replace(/\.\d+/, ''),
      uptimeSeconds: secondsSince(started, clock),
      goVersion: kubernetesVersion.goVersion,
      binaryVersion: kubernetesVersion.gitVersion.slice(1),
      emulationVersion: `${kubernetesVersion.emulationMajor}.${kubernetesVersion.emulationMinor}`,
      paths,
    }),
    text: () => statusText(started, secondsSince(started, clock)),
  });
}

/** The flags as they are in force; none of them holds a secret, only the names of files that do. */
export function flagzHandler(flags: () => Readonly<Record<string, string>>, offer?: Offer): Handler {
  return zpage('Flagz', offer, {
    facts: () => ({ flags: flags() }),
    text: () => flagLines(flags()),
  });
}

function flagLines(flags: Readonly<Record<string, string>>): string {
  return Object.entries(flags)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

interface Page {
  readonly facts: () => object;
  readonly text: () => string;
}

function zpage(kind: 'Statusz' | 'Flagz', offer: Offer | undefined, { facts, text }: Page): Handler {
  const name = kind.toLowerCase();
  return async (exchange) => {
    exchange.errorOffer = offer;
    const representation = structured(exchange, kind, offer?.cbor);
    if (representation?.as === undefined) return sendText(exchange, 200, `\napiserver ${name}\n${disclaimer}\n${text()}`);
    const { as, format } = representation;
    if (as.version === 'v1alpha1') exchange.warn(`This version of the ${name} endpoint is deprecated. Please use a newer version.`);
    const document = { kind, apiVersion: `config.k8s.io/${as.version}`, metadata: { name: 'apiserver' }, ...facts() };
    const { encodeTyped } = await import('#server/answer/answer.ts');
    exchange.send(
      200,
      `application/${format};g=config.k8s.io;v=${as.version};as=${kind}`,
      encodeTyped({ schema: undefined, object: document }, representation),
    );
  };
}

/** Undefined: as text. Plain JSON or YAML is refused, it must be named with its kind. */
function structured(exchange: Exchange, kind: string, cbor: Cbor | undefined): Representation | undefined {
  const accept = exchange.headers['accept'];
  if (typeof accept !== 'string' || accept === '') return undefined;
  for (const clause of parseAccept(accept)) {
    if (clause.type === '*' || (clause.type === 'text' && (clause.subtype === 'plain' || clause.subtype === '*'))) return undefined;
    const found = representationOf(clause, kind, cbor);
    if (found !== undefined) return found;
  }
  const types = ['application/json', 'application/yaml', 'text/plain', ...(cbor === undefined ? [] : [mediaTypes.cbor])];
  throw new ApiError(406, 'NotAcceptable', `only the following media types are accepted: ${types.join(', ')}`);
}

function representationOf({ type, subtype, parameters }: AcceptClause, kind: string, cbor: Cbor | undefined): Representation | undefined {
  const [group, version = ''] = [parameters.get('g'), parameters.get('v')];
  const known = parameters.get('as') === kind && group === 'config.k8s.io' && ['v1beta1', 'v1alpha1'].includes(version);
  if (!known || type !== 'application') return undefined;
  if (subtype !== 'json' && subtype !== 'yaml' && (subtype !== 'cbor' || cbor === undefined)) return undefined;
  return { format: subtype, as: { group, version, kind }, pretty: true, stream: false, profile: '', ...(subtype === 'cbor' && { cbor }) };
}

function statusText(started: Date, seconds: number): string {
  const up = `${Math.floor(seconds / 3600)} hr ${String(Math.floor(seconds / 60) % 60).padStart(2, '0')} min ${String(seconds % 60).padStart(2, '0')} sec`;
  return [
    '',
    `Started:  ${started.toUTCString().replace(/(\w+), (\d+) (\w+) (\d+) ([\d:]+) GMT/, '$1 $3 $2 $5 UTC $4')}`,
    `Up:  ${up}`,
    `Go version:  ${kubernetesVersion.goVersion}`,
    `Binary version:  ${kubernetesVersion.gitVersion.slice(1)}`,
    `Emulation version:  ${kubernetesVersion.emulationMajor}.${kubernetesVersion.emulationMinor}`,
    `Paths:  ${paths.join(' ')}`,
    '',
  ].join('\n');
}

function secondsSince(started: Date, clock: Clock): number {
  return Math.floor((clock.now().getTime() - started.getTime()) / 1000);
}
