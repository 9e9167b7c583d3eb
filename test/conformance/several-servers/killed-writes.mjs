// Writers on two servers while one of them is killed: what was acknowledged is there, told by the other one in order, and nothing is there that nobody has asked for.
import { until } from './clients.mjs';
import { judge } from './consistency.mjs';
import { namespace } from './objects.mjs';

const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const writers = 8;
const writesEach = 80;

/** `kill` is called when a third of the writes is done. */
export async function writesDuringKill([first, second], kill) {
  const { object: start } = await second.get(`${configMaps}?limit=1`);
  const watch = second.watch(`${configMaps}?watch=1&resourceVersion=${start.metadata.resourceVersion}&timeoutSeconds=300`);
  const run = { servers: [first, second], acknowledged: [], unknown: 0, problems: [], isKilled: false };
  const killing = until(() => run.acknowledged.length > (writers * writesEach) / 3, 60, 'a third of the writes').then(() => {
    run.isKilled = true;
    kill();
  });
  await Promise.all([killing, ...Array.from({ length: writers }, (_, writer) => writeOn(run, writer))]);
  const last = Math.max(...run.acknowledged);
  const missing = await until(() => watch.events.some(({ object }) => Number(object.metadata.resourceVersion) >= last), 30, `the watch of ${second.url}`);
  watch.close();
  const problems = [...run.problems, ...(missing ? [missing] : []), ...judge(second.url, watch.events, run.acknowledged)];
  return { says: `${run.acknowledged.length} writes by ${writers} writers, ${run.unknown} of them cut off by kill -9`, problems };
}

/** Counts up in an object of its own, on either server as long as both are there. */
async function writeOn(run, writer) {
  const [first, second] = run.servers;
  const name = `survivor-${writer}`;
  let { object: current } = await second.create(configMaps, { metadata: { name }, data: { count: '0' } });
  for (let i = 1; i <= writesEach; i++) {
    const server = !run.isKilled && (writer + i) % 2 === 0 ? first : second;
    const { code, object } = await server.update(`${configMaps}/${name}`, { ...current, data: { count: String(i) } }).catch(() => ({ code: 0 }));
    if (code === 200) {
      run.acknowledged.push(Number(object.metadata.resourceVersion));
      current = object;
    } else if (server === first && run.isKilled) {
      run.unknown++;
      current = (await second.get(`${configMaps}/${name}`)).object;
      const { count } = current.data;
      if (![String(i), String(i - 1)].includes(count)) run.problems.push(`${name} is at ${count} after ${i - 1} were acknowledged and ${i} was cut off`);
      i = Number(count);
    } else run.problems.push(`${name} on ${server.url}: ${code} ${object?.message}`);
  }
  const { object } = await second.get(`${configMaps}/${name}`);
  if (object.data.count !== String(writesEach)) run.problems.push(`${name} is at ${object.data.count} after ${writesEach} writes`);
}
