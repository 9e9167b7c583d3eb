// Two servers with their controllers: one of them runs the controllers, and the other one takes over when it is killed.
import { until } from './clients.mjs';
import { namespace } from './objects.mjs';

const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
const template = { metadata: { labels: { app: 'taken-over' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };

/** `killFirst` ends the first of the two as a power failure would; `addresses` are what the two call themselves. */
export async function takeOver([first, second], addresses, killFirst) {
  const problems = [];
  const together = await until(async () => addresses.every(contained(await addressesOf(second))), 30, `${addresses} in the endpoints`);
  if (together) problems.push(together);
  const spec = { replicas: 3, selector: { matchLabels: { app: 'taken-over' } }, template };
  const { code, object } = await first.create(deployments, { metadata: { name: 'taken-over' }, spec });
  if (code !== 201) problems.push(`deployment: ${code} ${object.message}`);
  await expectPods(second, 3, problems);
  await killFirst();
  const killed = performance.now();
  await second.send('PATCH', `${deployments}/taken-over`, { spec: { replicas: 5 } }, 'application/merge-patch+json');
  await expectPods(second, 5, problems);
  const [gone, living] = addresses.map((address) => async () => contained(await addressesOf(second))(address));
  const left = await until(async () => !(await gone()), 40, 'endpoints without the killed server');
  if (left) problems.push(left);
  if (!(await living())) problems.push('the living server is not in the endpoints');
  return { says: `controllers taken over ${((performance.now() - killed) / 1000).toFixed(1)} s after kill -9`, problems };
}

/** That many come, and no more: two that both believe they lead would make too many. */
async function expectPods(server, wanted, problems) {
  let count = 0;
  const look = setInterval(async () => {
    const { object } = await server.get(`/api/v1/namespaces/${namespace}/pods?labelSelector=app%3Dtaken-over`);
    count = object.items?.length ?? count;
    if (count > wanted) problems.push(`${count} pods instead of ${wanted}`);
  }, 200);
  const problem = await until(() => count >= wanted, 40, `${wanted} pods`);
  if (problem) problems.push(`${problem}, but ${count}`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  clearInterval(look);
}

const contained = (all) => (address) => all.includes(address);

async function addressesOf(server) {
  const { object } = await server.get('/api/v1/namespaces/default/endpoints/kubernetes');
  return (object.subsets ?? []).flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip));
}
