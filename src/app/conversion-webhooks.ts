// Conversion webhooks of custom resources, asked by this server.
import { randomUUID } from 'node:crypto';
import type { Outgoing } from '#app/outgoing.ts';
import { ConversionMetrics } from '#crd/conversion/conversion-metrics.ts';
import { conversionWebhooks } from '#crd/conversion/conversion-webhook.ts';
import type { WebhookConverterOf } from '#crd/converter.ts';

export interface ConversionWebhooks {
  readonly converterOf: WebhookConverterOf;
  readonly metrics: ConversionMetrics;
}

export function buildConversionWebhooks({ clients, resolve }: Outgoing): ConversionWebhooks {
  const metrics = new ConversionMetrics();
  const observe = metrics.observe.bind(metrics);
  return { converterOf: conversionWebhooks({ clients, resolve, newUid: randomUUID, now: () => performance.now(), observe }), metrics };
}
