// The two plugins that ask webhooks, with all that they stand on.
import { randomUUID } from 'node:crypto';
import type { AdmissionPlugin } from '#admission/admission.ts';
import { authorizeFor } from '#admission/expressions/authorize-for.ts';
import { mutatingWebhooks } from '#admission/webhooks/mutating-webhooks.ts';
import type { Asking } from '#admission/webhooks/observed-answer.ts';
import { validatingWebhooks } from '#admission/webhooks/validating-webhooks.ts';
import { webhooksOf } from '#admission/webhooks/webhook.ts';
import type { WebhookObserver } from '#admission/webhooks/webhook-observer.ts';
import { WebhookSource } from '#admission/webhooks/webhook-source.ts';
import type { ServiceResolver } from '#api/service-resolver.ts';
import type { PluginConfigurations } from '#app/admission/admission-config.ts';
import type { AdmissionManifests } from '#app/admission/static-manifests.ts';
import { webhookCredentials } from '#app/admission/webhook-credentials.ts';
import type { Authorizer } from '#auth/authorizer.ts';
import type { Log } from '#base/log.ts';
import type { OutgoingClients } from '#base/outgoing/outgoing-clients.ts';

export interface AdmissionWebhookParts {
  readonly authorizer: Authorizer;
  readonly configurations: PluginConfigurations;
  readonly resolve: ServiceResolver;
  readonly clients: OutgoingClients;
  readonly log: Log;
  readonly observer: WebhookObserver;
  readonly manifests: AdmissionManifests;
}

export function mutatingWebhookPlugin(parts: AdmissionWebhookParts): AdmissionPlugin {
  return mutatingWebhooks(sourceOf(parts, 'MutatingAdmissionWebhook', 'mutatingwebhookconfigurations'), askingOf(parts));
}

export function validatingWebhookPlugin(parts: AdmissionWebhookParts): AdmissionPlugin {
  return validatingWebhooks(sourceOf(parts, 'ValidatingAdmissionWebhook', 'validatingwebhookconfigurations'), askingOf(parts));
}

function sourceOf({ configurations, resolve, manifests }: AdmissionWebhookParts, plugin: string, resource: string): WebhookSource {
  const webhookParts = { resolve, credentials: webhookCredentials(configurations, plugin) };
  const opened = manifests.open(plugin);
  return new WebhookSource({
    resource: { group: 'admissionregistration.k8s.io', resource },
    make: (configuration, isStatic) => webhooksOf(configuration, webhookParts, isStatic),
    manifests: opened && (() => opened.objects),
  });
}

function askingOf({ authorizer, clients, log, observer }: AdmissionWebhookParts): Omit<Asking, 'type'> {
  return { clients, log, observer, newUid: randomUUID, now: () => performance.now(), authorize: ({ user }) => authorizeFor(authorizer, user) };
}
