// What a request may wait for outside of the server: an extension server and an admission webhook that take requests and never answer them, and
// custom objects, which are served like built-in ones.
import { EventEmitter } from 'node:events';
import { apiServices, authority, ExtensionServerInTest, until } from './extension-server.ts';
import { sampleDefinition } from './sample-definition.ts';
import type { ServerInTest } from './server-in-test.ts';

const group = 'waiting.example.com';
const discovery = `/apis/${group}/v1`;

export const customObjects = '/apis/rules.example/v1/namespaces/default/things';
/** Creating one waits for the webhook. */
export const reviewed = '/api/v1/namespaces/default/secrets';
/** Never answered by the extension server. */
export const unanswered = `${discovery}/unanswered`;
/** Answered with more than the buffers of sockets hold. */
export const largeAnswer = `${discovery}/large`;

export class WaitingServers {
  readonly #remote = new ExtensionServerInTest();
  /** Tells `asked` for every request that has come through and waits. */
  readonly events = new EventEmitter().setMaxListeners(0);

  async join(server: ServerInTest): Promise<void> {
    const waits = () => void this.events.emit('asked');
    for (const path of [unanswered, '/review']) this.#remote.answers.set(path, waits);
    this.#remote.answers.set(largeAnswer, (_, response) => void response.writeHead(200).end(Buffer.alloc(20_000_000)));
    this.#remote.onUpgrade = (_, socket) => {
      // One that does not read would not see that the other side has gone.
      socket.on('error', () => {}).resume();
      waits();
    };
    await this.#remote.start();
    await this.#makeCustomObjects(server);
    await this.#makeExtension(server);
    await this.#makeWebhook(server);
  }

  /** Ends the connections that the server under test keeps for its next requests, and forgets them. */
  async hangUp(): Promise<void> {
    this.#remote.asked.length = 0;
    await this.#remote.stop();
    await this.#remote.start();
  }

  async stop(): Promise<void> {
    await this.#remote.stop();
  }

  async #makeCustomObjects(server: ServerInTest): Promise<void> {
    await server.make('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', sampleDefinition);
    await until(async () => (await server.ask('GET', customObjects)).code === 200);
    const [apiVersion, kind] = ['rules.example/v1', 'Thing'];
    for (let i = 0; i < 10; i++) await server.make(customObjects, { apiVersion, kind, metadata: { name: `large-${i}` }, spec: { a: 'x'.repeat(900_000) } });
  }

  async #makeExtension(server: ServerInTest): Promise<void> {
    await server.make('/api/v1/namespaces/default/services', { metadata: { name: 'ext' }, spec: { type: 'ExternalName', externalName: 'localhost' } });
    const service = { namespace: 'default', name: 'ext', port: this.#remote.port };
    const spec = { group, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15, service, insecureSkipTLSVerify: true };
    await server.make(apiServices, { metadata: { name: `v1.${group}` }, spec });
    await until(async () => (await server.ask('GET', discovery)).code === 200);
  }

  async #makeWebhook(server: ServerInTest): Promise<void> {
    const service = { namespace: 'default', name: 'ext', path: '/review', port: this.#remote.port };
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }];
    const clientConfig = { service, caBundle: Buffer.from(authority.cert).toString('base64') };
    await server.make('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'waiting' },
      webhooks: [{ name: 'waiting.example.com', clientConfig, rules, sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 30 }],
    });
  }
}
