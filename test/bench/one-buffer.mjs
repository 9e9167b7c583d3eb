// The limit for a list: the same number of bytes over TLS and HTTP/1.1 from one buffer that is there already.
// Arguments: directory of certificates, bytes. Says the port as a message.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

const [pki, bytes] = process.argv.slice(2);
const body = Buffer.alloc(Number(bytes), 'binnacle ');
const file = (name) => readFileSync(join(pki, name));
const server = createServer({ key: file('apiserver.key'), cert: file('apiserver.crt') }, (_, response) => {
  response.writeHead(200, { 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
