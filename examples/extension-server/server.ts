// The server: who asks, may they, what do they get.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { authenticate, readTrust } from './authenticate.ts';
import { delegatedAuthorizer } from './authorize.ts';
import { discoveryList, group, groupDocument, groupList, openApi, openApiIndex, resourceList, swagger, version } from './documents.ts';
import type { KubeClient } from './kube-client.ts';
import { resourceRequest, send, sendStatus, serveResource } from './metrics-api.ts';

export interface ServerOptions {
  readonly cert: string;
  readonly key: string;
  readonly client: KubeClient;
  readonly log: (line: string) => void;
}

const trustEveryMs = 60_000;
const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** The ConfigMap is read before the first request and once a minute from then on, so that new authorities count. */
export async function extensionServer({ cert, key, client, log }: ServerOptions): Promise<Server> {
  let trust = await readTrust(client);
  const authorize = delegatedAuthorizer(client);
  const timer = setInterval(() => {
    readTrust(client).then(
      (next) => (trust = next),
      (error: unknown) => log(`the authorities of clients could not be read: ${String(error)}`),
    );
  }, trustEveryMs);
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', 'https://localhost');
    const user = await authenticate(request, trust, client);
    if (user === undefined) return sendStatus(response, 401, 'Unauthorized', 'Unauthorized');
    if (!['GET', 'HEAD'].includes(request.method ?? ''))
      return sendStatus(response, 405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
    const asked = resourceRequest(pathname);
    const access = asked && {
      group,
      version,
      resource: asked.resource.plural,
      ...(asked.namespace !== undefined && { namespace: asked.namespace }),
      ...(asked.name !== undefined && { name: asked.name }),
    };
    const allowed = await authorize(user, { path: pathname, verb: asked ? verbOf(request, asked.name) : 'get', ...(access && { resource: access }) });
    if (!allowed) return sendStatus(response, 403, 'Forbidden', `${pathname} is forbidden: User "${user.name}" may not read it`);
    if (asked) return serveResource(asked, request, response, client);
    return serveDocument(pathname, request, response);
  };
  // Certificates are asked for and judged by `authenticate`: which authority counts changes while the server runs.
  const server = createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log(`${request.method} ${request.url}: ${String(error)}`);
      if (response.headersSent) response.destroy();
      else sendStatus(response, 500, 'InternalError', 'the API server could not be asked');
    });
  });
  server.once('close', () => clearInterval(timer));
  return server;
}

function verbOf(request: IncomingMessage, name: string | undefined): string {
  if (name !== undefined) return 'get';
  return /[?&]watch=(1|true)/.test(request.url ?? '') ? 'watch' : 'list';
}

const hashOf = (document: object) => createHash('sha256').update(JSON.stringify(document)).digest('hex').toUpperCase();

const documents: Readonly<Record<string, object>> = {
  [`/apis/${group}`]: groupDocument,
  [`/apis/${group}/${version}`]: resourceList,
  '/openapi/v2': swagger,
  '/openapi/v3': openApiIndex(hashOf(openApi)),
  [`/openapi/v3/apis/${group}/${version}`]: openApi,
};

function serveDocument(path: string, request: IncomingMessage, response: ServerResponse): void {
  if (['/healthz', '/livez', '/readyz'].includes(path)) return void response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
  const isAggregated = path === '/apis' && request.headers.accept?.includes('as=APIGroupDiscoveryList');
  const document = path === '/apis' ? (isAggregated ? discoveryList : groupList) : documents[path];
  if (document === undefined) return sendStatus(response, 404, 'NotFound', 'the server could not find the requested resource');
  const etag = `"${hashOf(document)}"`;
  const headers = { etag, ...(isAggregated && { 'content-type': aggregatedType }) };
  if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
  else send(response, 200, document, headers);
}
