// The hashes that the controllers of the real kube-controller-manager find for many pod templates, kept in test/fixtures/template-hashes.json.
//   npx tsx test/conformance/template-hash/record.ts       (needs the reference server; a minute)
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startOriginal } from '../../support/control-plane-programs.mjs';
import { root } from '../../support/server-under-test.mjs';
import { type PodTemplate, richTemplates } from './rich-templates.ts';

const apps = '/apis/apps/v1/namespaces/default';
const patienceMs = 60_000;

interface Owned {
  readonly metadata: { readonly labels?: Record<string, string>; readonly ownerReferences?: readonly { readonly name: string }[] };
  readonly data?: unknown;
}

const original = await startOriginal(['deployment-controller', 'statefulset-controller', 'daemonset-controller']);
try {
  const templates = richTemplates().map(labelled);
  const taken: { readonly name: string; readonly template: PodTemplate }[] = [];
  for (const [index, template] of templates.entries()) {
    const name = `t${index}`;
    const selector = { matchLabels: { template: name } };
    const spec = { selector, template: { ...template, metadata: { ...template.metadata, labels: { ...template.metadata.labels, template: name } } } };
    const made = await original.ask('POST', `${apps}/deployments`, { metadata: { name }, spec: { ...spec, replicas: 0 } });
    if (made.code !== 201) {
      console.log(`${name} is refused: ${made.text.slice(0, 300)}`);
      continue;
    }
    await original.ask('POST', `${apps}/daemonsets`, { metadata: { name }, spec });
    await original.ask('POST', `${apps}/statefulsets`, { metadata: { name }, spec: { ...spec, replicas: 0, serviceName: 'none' } });
    taken.push({ name, template: (JSON.parse(made.text) as { spec: { template: PodTemplate } }).spec.template });
  }
  const sets = await settled('replicasets', taken.length);
  const revisions = await settled('controllerrevisions', 2 * taken.length);
  const lines = taken.map(({ name, template }) => {
    const [set] = sets.filter((one) => one.metadata.ownerReferences?.[0]?.name === name);
    const of = revisions.filter((one) => one.metadata.ownerReferences?.[0]?.name === name);
    const hashes = of.map(({ metadata, data }) => ({
      hash: metadata.labels?.['controller-revision-hash'] ?? metadata.labels?.['controller.kubernetes.io/hash'],
      data,
    }));
    return JSON.stringify({ template, hash: set?.metadata.labels?.['pod-template-hash'], revisions: hashes });
  });
  console.log(`${lines.length} of ${templates.length} templates`);
  writeFileSync(join(root, 'test/fixtures/template-hashes.json'), `[\n${lines.join(',\n')}\n]\n`);
} finally {
  await original.stop();
}

function labelled(template: PodTemplate): PodTemplate {
  return { ...template, spec: { ...template.spec, restartPolicy: 'Always' } };
}

async function settled(resource: string, count: number): Promise<readonly Owned[]> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 500))) {
    const { items } = JSON.parse((await original.ask('GET', `${apps}/${resource}`)).text) as { items: readonly Owned[] };
    if (items.length >= count) return items;
  }
  throw new Error(`there are not ${count} ${resource} after ${patienceMs / 1_000} s`);
}
