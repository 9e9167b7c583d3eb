// A client of one server: JSON there and back, and watches that keep all they are told.
import https from 'node:https';
import { ask } from '../../fault/hostile-client.mjs';

export function connectTo(url) {
  const agent = new https.Agent({ keepAlive: true, maxSockets: 32, rejectUnauthorized: false });
  const send = async (method, path, object, type = 'application/json') => {
    const body = object === undefined ? undefined : JSON.stringify(object);
    const headers = { 'content-type': type };
    const answer = await ask({ url }, { method, path, body, headers, agent });
    // A path that is not served yet is answered with text.
    const isJson = answer.headers['content-type']?.startsWith('application/json');
    return { code: answer.code, object: isJson ? JSON.parse(answer.body.toString()) : { message: answer.body.toString() } };
  };
  return {
    url,
    send,
    get: (path) => send('GET', path),
    create: (path, object) => send('POST', path, object),
    update: (path, object) => send('PUT', path, object),
    watch: (path) => watch(url, path),
    close: () => agent.destroy(),
  };
}

/** `events` grows; `close` ends the watch. */
function watch(url, path) {
  const events = [];
  let rest = '';
  const request = https.get(`${url}${path}`, { rejectUnauthorized: false, headers: { authorization: 'Bearer admin-token' }, agent: false }, (response) => {
    response.setEncoding('utf8');
    response.on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line !== '') events.push(JSON.parse(line));
    });
  });
  request.on('error', () => undefined);
  return { events, close: () => request.destroy() };
}

export async function until(condition, seconds, what) {
  for (const end = Date.now() + seconds * 1000; !(await condition()); ) {
    if (Date.now() > end) return `${what}: not within ${seconds} s`;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}
