// Asks for /livez over and over in a process of its own and says how long the longest answer took since it was last asked.
import https from 'node:https';

const port = Number(process.argv[2]);
const everyMs = 5;
const agent = new https.Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
let longest = 0;
let asked = 0;

process.on('message', () => {
  // What is under way counts as well: it may be the one that waits.
  process.send({ longest: Math.max(longest, asked === 0 ? 0 : performance.now() - asked) });
  longest = 0;
});
process.on('disconnect', () => process.exit(0));
probe();

function probe() {
  asked = performance.now();
  const done = () => {
    longest = Math.max(longest, performance.now() - asked);
    asked = 0;
    setTimeout(probe, everyMs);
  };
  https.get({ host: '127.0.0.1', port, path: '/livez', agent }, (response) => response.resume().once('end', done)).once('error', done);
}
