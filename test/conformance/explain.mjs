// `kubectl explain` for every kind that a server has, from both forms of OpenAPI; with a second server, both must say the same.
//   node test/conformance/explain.mjs --kubectl PATH --kubeconfig FILE [--reference FILE]
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';

const run = promisify(execFile);

const { values } = parseArgs({
  options: { kubectl: { type: 'string', default: 'kubectl' }, kubeconfig: { type: 'string' }, reference: { type: 'string' } },
});
if (values.kubeconfig === undefined) throw new Error('--kubeconfig is needed');

async function kubectl(kubeconfig, ...args) {
  const { stdout } = await run(values.kubectl, ['--kubeconfig', kubeconfig, ...args], { maxBuffer: 1 << 26 });
  return stdout;
}

/** `pods v1`, `deployments.apps apps/v1` … */
async function resources(kubeconfig) {
  const lines = (await kubectl(kubeconfig, 'api-resources', '--no-headers')).trim().split('\n');
  return lines.map((line) => {
    const [plural, ...rest] = line.trim().split(/\s+/);
    return { plural, apiVersion: rest.at(-3), kind: rest.at(-1) };
  });
}

/** The fields with their types, without the descriptions, which each server words in its own way. */
function fieldLines(explained) {
  const lines = explained.split('\n');
  const kept = lines.slice(lines.indexOf('FIELDS:'));
  return kept.filter((line) => /^\s+\S+\t<|^FIELDS:|^ +enum:/.test(line)).join('\n');
}

async function problemsOf({ plural, apiVersion, kind }) {
  const explain = (kubeconfig, ...more) => kubectl(kubeconfig, 'explain', plural, '--api-version', apiVersion, ...more);
  const recursive = await explain(values.kubeconfig, '--recursive');
  const plain = await explain(values.kubeconfig);
  const swagger = await explain(values.kubeconfig, '--output', 'plaintext-openapiv2');
  const problems = [];
  if (!plain.includes(`KIND:       ${kind}\n`)) problems.push('names another kind');
  if (!/DESCRIPTION:\n {4}\S/.test(plain) || plain.includes('<empty>\n    \nFIELDS')) problems.push('has no description');
  if (!/apiVersion\t<string>/.test(recursive)) problems.push('has no fields');
  if (!/DESCRIPTION:\n {5}\S/.test(swagger)) problems.push('has no description in Swagger');
  if (values.reference === undefined) return problems;
  if (fieldLines(recursive) !== fieldLines(await explain(values.reference, '--recursive'))) problems.push('has other fields than the reference');
  if (swaggerFields(swagger) !== swaggerFields(await explain(values.reference, '--output', 'plaintext-openapiv2')))
    problems.push('has other fields in Swagger');
  return problems;
}

function swaggerFields(explained) {
  return explained
    .split('\n')
    .filter((line) => /^ {3}\S+\t<|^KIND|^VERSION/.test(line))
    .join('\n');
}

const failures = [];
const all = await resources(values.kubeconfig);
for (const resource of all) {
  try {
    failures.push(...(await problemsOf(resource)).map((problem) => `${resource.plural} (${resource.apiVersion}) ${problem}`));
  } catch (problem) {
    failures.push(`${resource.plural} (${resource.apiVersion}) ${problem.stderr ?? problem}`);
  }
}
console.log([...failures, `${all.length} kinds explained, ${failures.length} problems`].join('\n'));
process.exitCode = failures.length === 0 && all.length > 0 ? 0 : 1;
