// Webhooks as functions of a test: an HTTPS server of this process that asks them, and the configurations that name it.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PemPair } from '#app/certificates/pem-folder.ts';
import { generateEcKey, makeCertificate, privateKeyPem, publicKeyOf } from '#base/x509.ts';
import type { ResourceAddress, RestClient } from '#client/rest-client.ts';
import type { AdmissionAnswer, AdmissionHandler, AdmissionRequest, TestWebhook } from '#testing/testing.d.ts';

const configurations = {
  validating: { kind: 'ValidatingWebhookConfiguration', resource: 'validatingwebhookconfigurations' },
  mutating: { kind: 'MutatingWebhookConfiguration', resource: 'mutatingwebhookconfigurations' },
} as const;

/** Starts a server for the handlers, if there are any, and registers all webhooks. Returns how to stop that server. */
export async function hostWebhooks(client: RestClient, webhooks: readonly TestWebhook[], now: Date): Promise<() => Promise<void>> {
  const handlers = new Map<string, AdmissionHandler>();
  const named = webhooks.map((webhook, i) => ({ name: `webhook-${i}.binnacle.test`, ...webhook }));
  for (const { name, handler } of named) if (handler !== undefined) handlers.set(`/${name}`, handler);
  const host = handlers.size > 0 ? await listen(handlers, now) : undefined;
  try {
    for (const webhook of named) await register(client, webhook, clientConfigOf(webhook, host));
  } catch (problem) {
    await host?.close();
    throw problem;
  }
  return async () => host?.close();
}

interface WebhookHost {
  readonly url: string;
  readonly caBundle: string;
  close(): Promise<void>;
}

type NamedWebhook = TestWebhook & { readonly name: string };

function clientConfigOf({ name, handler, url, caBundle }: NamedWebhook, host: WebhookHost | undefined): object {
  if ((handler === undefined) === (url === undefined)) throw new Error(`the webhook ${name} needs a handler or a url`);
  if (handler !== undefined && host !== undefined) return { url: `${host.url}/${name}`, caBundle: Buffer.from(host.caBundle).toString('base64') };
  return { url, ...(caBundle !== undefined && { caBundle: Buffer.from(caBundle).toString('base64') }) };
}

async function register(client: RestClient, webhook: NamedWebhook, clientConfig: object): Promise<void> {
  const { type, handler: _, url: _url, caBundle: _ca, ...fields } = webhook;
  const { kind, resource } = configurations[type];
  const address: ResourceAddress = { group: 'admissionregistration.k8s.io', version: 'v1', resource, namespaced: false };
  const registered = { sideEffects: 'None', admissionReviewVersions: ['v1'], ...fields, clientConfig };
  await client.create(address, '', { kind, metadata: { name: webhook.name }, webhooks: [registered] });
}

async function listen(handlers: ReadonlyMap<string, AdmissionHandler>, now: Date): Promise<WebhookHost> {
  const { createServer } = await import('node:https');
  const { cert, key, ca } = pairFor(now);
  const server = createServer({ cert, key }, (request, response) => void answer(handlers, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, caBundle: ca, close };
}

interface Review {
  readonly request: AdmissionRequest;
}

/** What a handler throws is an error of the webhook, about which its failurePolicy decides. */
async function answer(handlers: ReadonlyMap<string, AdmissionHandler>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const handler = handlers.get(new URL(request.url ?? '', 'https://host').pathname);
    if (handler === undefined) throw new Error('there is no webhook here');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
    const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: responseOf(review.request, await handler(review.request)) };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  } catch (problem) {
    response.writeHead(500).end(problem instanceof Error ? problem.message : String(problem));
  }
}

function responseOf({ uid }: AdmissionRequest, { allowed, message, code, reason, warnings, auditAnnotations, patch }: AdmissionAnswer): object {
  const hasStatus = message !== undefined || code !== undefined || reason !== undefined;
  return {
    uid,
    allowed,
    ...(hasStatus && { status: { ...(message !== undefined && { message }), ...(code !== undefined && { code }), ...(reason !== undefined && { reason }) } }),
    ...(warnings && { warnings }),
    ...(auditAnnotations && { auditAnnotations }),
    ...(patch && { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') }),
  };
}

const day = 24 * 3_600_000;

/** A certificate for the loopback address, by an authority that signs nothing else. */
function pairFor(now: Date): PemPair & { readonly ca: string } {
  const [authority, server] = [generateEcKey(), generateEcKey()];
  const subject = { commonName: 'binnacle-test-webhooks' };
  const validity = { notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + 30 * day) };
  const issuer = { subject, privateKey: authority };
  const ca = makeCertificate({ subject, publicKey: publicKeyOf(authority), serial: randomBytes(16), usage: 'authority', ...validity }, issuer);
  const names = ['127.0.0.1', 'localhost'];
  const leaf = { subject: { commonName: 'webhooks' }, publicKey: publicKeyOf(server), serial: randomBytes(16), usage: 'server', names, ...validity } as const;
  return { ca, cert: makeCertificate(leaf, issuer), key: privateKeyPem(server) };
}
