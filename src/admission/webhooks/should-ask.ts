// Whether a webhook whose rules are about a request is to be asked: by its selectors, then by its conditions.
import { type Authorize } from '#cel/library/authorizer.ts';
import type { AdmissionRequest } from '#admission/admission.ts';
import { admissionActivation } from '#admission/expressions/admission-activation.ts';
import { match } from '#admission/expressions/match-conditions.ts';
import type { Candidate } from '#admission/matching/rule-table.ts';
import { isInSelectedNamespace, isSelectedObject } from '#admission/matching/selected.ts';
import { resourceOf } from '#admission/request-subject.ts';
import type { VersionedRequest } from '#admission/webhooks/versioned-request.ts';
import type { Webhook } from '#admission/webhooks/webhook.ts';
import type { WebhookObserver } from '#admission/webhooks/webhook-observer.ts';
import { forbidden } from '#api/api-error.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';

/** What expressions may ask about the one who sends the request. */
export type AuthorizeFor = (request: AdmissionRequest) => Authorize;

export interface Judging {
  readonly authorize: AuthorizeFor;
  readonly observer: WebhookObserver;
  readonly type: 'admit' | 'validating';
}

/** Throws the refusal of a request whose conditions cannot be judged, where the failure policy wants that. */
export function shouldAsk(candidate: Candidate<Webhook>, versions: VersionedRequest, judging: Judging): MaybePromise<boolean> {
  const { entry: webhook } = candidate;
  const { request } = versions;
  return andThen(isInSelectedNamespace(webhook.namespaceSelector, request), (isInside) => {
    if (!isInside || !isSelectedObject(webhook.objectSelector, request)) return false;
    return webhook.conditions === undefined || conditionsHold(candidate, versions, judging);
  });
}

function conditionsHold({ entry: webhook, definition }: Candidate<Webhook>, versions: VersionedRequest, judging: Judging): MaybePromise<boolean> {
  const { request } = versions;
  return andThen(versions.at(definition), ({ object, old, facts }) => {
    // Webhooks are not told about the namespace: upstream evaluates their conditions without it.
    const activation = admissionActivation({ request: facts, object, old, namespace: undefined, authorize: judging.authorize(request), values: new Map() });
    const done = judging.observer.onConditions?.(webhook.name, 'webhook', judging.type, request.operation);
    return andThen(webhook.conditions?.()(activation) ?? match, (verdict) => {
      done?.(verdict);
      if (verdict.is === 'failed' && !webhook.ignoresFailures) throw forbidden(resourceOf(request), request.name, verdict.why);
      return verdict.is === 'match';
    });
  });
}
