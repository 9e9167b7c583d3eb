// ValidatingAdmissionWebhook: every webhook that a request concerns is asked, all at once; the refusal that came first is the answer, once all have answered.
import type { AdmissionPlugin, AdmissionRequest } from '#admission/admission.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import { type Asking, askObserved, requestTimeout } from '#admission/webhooks/observed-answer.ts';
import { shouldAsk } from '#admission/webhooks/should-ask.ts';
import { type Versioned, VersionedRequest } from '#admission/webhooks/versioned-request.ts';
import type { Webhook } from '#admission/webhooks/webhook.ts';
import type { WebhookSource } from '#admission/webhooks/webhook-source.ts';
import { andThen } from '#base/and-then.ts';

const failedOpenPrefix = 'failed-open.validating.webhook.admission.k8s.io/';

export function validatingWebhooks(source: WebhookSource, asking: Omit<Asking, 'type'>): AdmissionPlugin {
  const validating: Asking = { ...asking, type: 'validating' };
  return {
    name: 'ValidatingAdmissionWebhook',
    validate: (request) =>
      andThen(source.current(request), (table) => {
        const candidates = table.candidates(request, request.catalog);
        return candidates.length === 0 ? undefined : validate(candidates, request, validating);
      }),
  };
}

interface Relevant {
  readonly webhook: Webhook;
  readonly versioned: Versioned;
}

async function validate(candidates: readonly Candidate<Webhook>[], request: AdmissionRequest, asking: Asking): Promise<void> {
  const versions = new VersionedRequest(request);
  const relevant: Relevant[] = [];
  for (const candidate of candidates) {
    const asks = shouldAsk(candidate, versions, asking);
    if (!(asks instanceof Promise ? await asks : asks)) continue;
    const versioned = versions.at(candidate.definition);
    relevant.push({ webhook: candidate.entry, versioned: versioned instanceof Promise ? await versioned : versioned });
  }
  if (relevant.length === 0) return;
  if (request.asker.gone) throw requestTimeout();
  const asked = relevant.map(({ webhook, versioned }, index) =>
    askObserved({ webhook, versioned, request, failedOpenKey: `${failedOpenPrefix}round_0_index_${index}` }, asking, () => true),
  );
  if (asked.length === 1) return void (await asked[0]);
  const refusals: unknown[] = [];
  await Promise.all(asked.map((answer) => answer.catch((refusal: unknown) => refusals.push(refusal))));
  if (refusals.length > 0) throw refusals[0];
}
