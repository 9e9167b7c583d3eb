// Namespaces keep their pods to some of the nodes.
import { internalError, notFound, unclassified } from '#api/api-error.ts';
import { labelKeyProblems, labelValueProblems } from '#base/label-syntax.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import { isPodCreate, namespaces, podOf, refusal } from '#admission/request-subject.ts';

export interface PodNodeSelectorOptions {
  /** By namespace what its pods may select; `clusterDefaultNodeSelector` for namespaces without an annotation. */
  readonly selectors: Readonly<Record<string, string>>;
}

type Labels = Readonly<Record<string, string>>;

const annotation = 'scheduler.alpha.kubernetes.io/node-selector';

export function podNodeSelector({ selectors }: PodNodeSelectorOptions): AdmissionPlugin {
  return {
    name: 'PodNodeSelector',
    matches: isPodCreate,
    mutate: (request) => merge(request, selectors),
    validate: (request) => check(request, selectors),
  };
}

async function merge(request: AdmissionRequest, selectors: Labels): Promise<void> {
  const wanted = await selectorOfNamespace(request, selectors);
  refuseConflict(request, wanted);
  const { spec } = podOf(request);
  const merged = { ...wanted, ...spec.nodeSelector };
  if (Object.keys(merged).length > 0) spec.nodeSelector = merged;
  refuseUnlisted(request, selectors);
}

async function check(request: AdmissionRequest, selectors: Labels): Promise<void> {
  refuseConflict(request, await selectorOfNamespace(request, selectors));
  refuseUnlisted(request, selectors);
}

async function selectorOfNamespace(request: AdmissionRequest, selectors: Labels): Promise<Labels> {
  const { lister, namespace } = request;
  const found = await lister.get(namespaces, '', namespace);
  if (found === undefined) throw internalError(notFound(namespaces, namespace).message);
  return parseSelector(found.metadata.annotations?.[annotation] ?? selectors['clusterDefaultNodeSelector'] ?? '');
}

function refuseConflict(request: AdmissionRequest, wanted: Labels): void {
  const own: Labels = podOf(request).spec.nodeSelector ?? {};
  const differs = Object.keys(wanted).some((key) => own[key] !== undefined && own[key] !== wanted[key]);
  if (differs) throw refusal(request, 'pod node label selector conflicts with its namespace node label selector');
}

function refuseUnlisted(request: AdmissionRequest, selectors: Labels): void {
  const allowed = parseSelector(selectors[request.namespace] ?? '');
  const own: Labels = podOf(request).spec.nodeSelector ?? {};
  if (Object.keys(allowed).length === 0 || Object.keys(own).every((key) => own[key] === allowed[key])) return;
  throw refusal(request, 'pod node label selector labels conflict with its namespace whitelist');
}

/** `a=b,c=d`; the words of the original for anything else. */
function parseSelector(text: string): Labels {
  return text === '' ? {} : Object.fromEntries(text.split(',').map(parsePair));
}

function parsePair(pair: string): readonly [string, string] {
  const parts = pair.split('=');
  if (parts.length !== 2) throw unclassified(`invalid selector: [${parts.join(' ')}]`);
  const [key = '', value = ''] = parts.map((part) => part.trim());
  const [badKey, badValue] = [labelKeyProblems(key), labelValueProblems(value)];
  if (badKey.length > 0) throw unclassified(`<nil>: Invalid value: ${JSON.stringify(key)}: ${badKey.join('; ')}`);
  if (badValue.length > 0) throw unclassified(`[${key}]: Invalid value: ${JSON.stringify(value)}: ${badValue.join('; ')}`);
  return [key, value];
}
