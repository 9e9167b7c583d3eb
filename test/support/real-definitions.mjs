// The definitions of ten projects, from their Go modules, which Go downloads by name: nothing of them is kept here.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const sources = [
  ['sigs.k8s.io/gateway-api@v1.4.0', 'config/crd/standard'],
  ['github.com/cert-manager/cert-manager@v1.21.2', 'deploy/crds'],
  ['github.com/prometheus-operator/prometheus-operator@v0.85.0', 'example/prometheus-operator-crd'],
  ['sigs.k8s.io/cluster-api@v1.14.2', 'core/config/crd/bases'],
  ['sigs.k8s.io/kueue@v0.14.0', 'config/components/crd/bases'],
  ['sigs.k8s.io/karpenter@v1.8.0', 'pkg/apis/crds'],
  ['github.com/crossplane/crossplane@v1.20.0', 'cluster/crds'],
  ['github.com/argoproj/argo-cd/v3@v3.5.6', 'manifests/crds'],
  ['github.com/external-secrets/external-secrets@v1.3.2', 'config/crds/bases'],
  ['istio.io/api@v1.31.1', 'kubernetes'],
];
/** Of the modules whose names match. Needs Go. */
export function realDefinitions(only = '') {
  return sources.filter(([module]) => new RegExp(only).test(module)).flatMap(definitionsOf);
}

function definitionsOf([module, folder]) {
  const { Dir } = JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
  const files = readdirSync(join(Dir, folder), { recursive: true }).filter((name) => /\.ya?ml$/.test(name));
  const documents = files.flatMap((name) => {
    const text = readFileSync(join(Dir, folder, name), 'utf8');
    return text.includes('kind: CustomResourceDefinition') ? parseAllDocuments(text).map((document) => document.toJS()) : [];
  });
  const definitions = documents.filter((document) => document?.kind === 'CustomResourceDefinition' && document.metadata?.name);
  if (definitions.length === 0) throw new Error(`${module} has no definitions in ${folder}`);
  return definitions.map(withoutWebhook);
}

/** Its converter does not run here; the versions are used as they are. */
function withoutWebhook(definition) {
  return { ...definition, spec: { ...definition.spec, conversion: { strategy: 'None' } } };
}
