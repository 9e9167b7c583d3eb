// What the real kube-controller-manager and kube-scheduler complain about in their logs, comparable between two runs.

/** Who loses a race, and over what, is chance: any controller may say these. */
export const races = [
  'is not as new as written version',
  'the object has been modified; please apply your changes to the latest version and try again',
  'unable to create new content in namespace plane because it is being terminated',
];

/** Lines of level warning and above, without what differs from run to run. */
export function complaintsOf(text) {
  const lines = text.split('\n').filter((line) => /^[EWF]\d{4} /.test(line) && !/context canceled|leaderelection lost|shutting down/i.test(line));
  return lines.map((line) => races.find((race) => line.includes(race)) ?? withoutChance(line));
}

function withoutChance(line) {
  return line
    .replace(/^([EWF])\d{4} \S+ +\d+ (\S+?):\d+\]/, '$1 $2')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '<uid>')
    .replace(/plane\/[a-z0-9-]+/g, 'plane/<name>')
    .replace(/\\"[a-z0-9.-]+\\" (not found|is forbidden|already exists)/g, '\\"<name>\\" $1')
    .replace(/\/tmp\/[\w./-]+/g, '<file>')
    .replace(/127\.0\.0\.1:\d+/g, '<server>')
    .replace(/\b\d+(\.\d+)?(µs|ms|s)?\b/g, '<n>');
}
