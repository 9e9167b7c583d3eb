// metrics.k8s.io as an extension server:
//   npx tsx main.ts --tls-cert-file FILE --tls-private-key-file FILE [--kubeconfig FILE] [--bind-address 0.0.0.0] [--secure-port 4443]
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { kubeClient } from './kube-client.ts';
import { extensionServer } from './server.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { kubeconfig: text, 'tls-cert-file': text, 'tls-private-key-file': text, 'bind-address': text, 'secure-port': text },
});
const { 'tls-cert-file': cert, 'tls-private-key-file': key, 'bind-address': host = '0.0.0.0', 'secure-port': port = '4443' } = values;
if (cert === undefined || key === undefined) throw new Error('--tls-cert-file and --tls-private-key-file are needed');
const log = (line: string) => console.error(line);
const server = await extensionServer({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8'), client: kubeClient(values.kubeconfig), log });
server.listen(Number(port), host, () => console.log(`serving on port ${(server.address() as AddressInfo).port}`));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
  });
}
