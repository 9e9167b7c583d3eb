// Events: two APIs with one store, a strict one (events.k8s.io) and a lenient one. They go away by themselves.
import type { FieldErrors } from '#api/field-error.ts';
import { byteLength, dns1123SubdomainProblems, nameIsSubdomain } from '#base/formats.ts';
import type { Event } from '#kinds/core/v1/event.ts';
import { ObjectReference } from '#kinds/core/v1/references.ts';
import { goForm } from '#kinds/rules/go-form.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '#kinds/rules/object-meta.ts';
import { semanticEqual } from '#kinds/rules/semantic-equal.ts';
import { validateImmutable } from '#kinds/rules/values.ts';
import { validateLabelKey } from '#resource/metadata-rules.ts';
import type { Strategy, StrategyContext } from '#resource/strategy.ts';

const shortText = 128;
const longText = 1024;
const defaultTtlSeconds = 3600;
const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'] as const;

export const eventStrategy: Strategy<Event> = {
  allowCreateOnUpdate: true,
  defaultPropagation: 'unsupported',
  ttlSeconds: ({ eventTtlSeconds }) => eventTtlSeconds ?? defaultTtlSeconds,
  selectableFields: {
    ...Object.fromEntries(referenceFields.map((field) => [`involvedObject.${field}`, ({ involvedObject }: Event) => involvedObject[field] ?? ''])),
    reason: ({ reason }) => reason ?? '',
    reportingComponent: ({ reportingComponent }) => reportingComponent ?? '',
    source: ({ source, reportingComponent }) => source.component || reportingComponent || '',
    type: ({ type }) => type ?? '',
  },
  validate(event, errors, context) {
    validateEvent(event, errors, context);
    if (isStrict(context)) validateStrictEvent(event, errors);
  },
  validateUpdate(event, old, errors, context) {
    validateEvent(event, errors, context);
    if (isStrict(context)) validateStrictUpdate(event, old, errors);
  },
};

/** The selectors of events.k8s.io by those of the core group. */
export const eventSelectorNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(referenceFields.map((field) => [`regarding.${field}`, `involvedObject.${field}`])),
  reason: 'reason',
  reportingController: 'reportingComponent',
  type: 'type',
};

function isStrict({ apiVersion }: StrategyContext): boolean {
  return apiVersion.startsWith('events.k8s.io/');
}

function validateEvent(event: Event, errors: FieldErrors, context: StrategyContext): void {
  const { namespace = '' } = event.metadata;
  const { namespace: involved = '' } = event.involvedObject;
  const allowed = event.eventTime === undefined ? ['', 'default'] : ['default', 'kube-system'];
  const fits = involved === '' ? allowed.includes(namespace) : event.eventTime !== undefined || involved === namespace;
  if (!fits) errors.invalid('involvedObject.namespace', involved, 'does not match event.namespace');
  if (event.eventTime !== undefined) validateModernEvent(event, errors, isStrict(context) ? 'reportingController' : 'reportingComponent');
  errors.invalidEach('namespace', namespace, dns1123SubdomainProblems(namespace));
}

/** Events with a time of their own name their reporter and what they are about. */
function validateModernEvent(event: Event, errors: FieldErrors, reporter: string): void {
  const { reportingComponent = '', message = '' } = event;
  if (reportingComponent === '') errors.required(reporter);
  validateLabelKey(reportingComponent, reporter, errors);
  for (const field of ['reportingInstance', 'action', 'reason'] as const) {
    const text = event[field] ?? '';
    if (text === '') errors.required(field);
    if (byteLength(text) > shortText) errors.invalid(field, '', `can have at most ${shortText} characters`);
  }
  if (byteLength(message) > longText) errors.invalid('message', '', `can have at most ${longText} characters`);
}

function validateStrictEvent(event: Event, errors: FieldErrors): void {
  validateObjectMeta(event.metadata, true, nameIsSubdomain, errors);
  validateSeries(event, errors);
  if (event.eventTime === undefined) errors.required('eventTime');
  const { type = '', source } = event;
  if (type !== 'Normal' && type !== 'Warning') errors.invalid('type', '', `has invalid value: ${type}`);
  for (const field of ['firstTimestamp', 'lastTimestamp', 'count'] as const) {
    if (event[field]) errors.invalid(field, '', 'needs to be unset');
  }
  if (source.component || source.host) errors.invalid('source', '', 'needs to be unset');
}

function validateSeries({ series }: Event, errors: FieldErrors): void {
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) errors.invalid('series.count', '', 'should be at least 2');
  if (series.lastObservedTime === undefined) errors.required('series.lastObservedTime');
}

function validateStrictUpdate(event: Event, old: Event, errors: FieldErrors): void {
  validateObjectMetaUpdate(event.metadata, old.metadata, errors);
  if (!semanticEqual(event.series, old.series)) validateSeries(event, errors);
  validateSameReference(event.involvedObject, old.involvedObject, 'involvedObject', errors);
  // The original looks at the reason twice.
  for (const field of ['reason', 'message', 'reason', 'type', 'action', 'reportingInstance'] as const) {
    validateImmutable(event[field] ?? '', old[field] ?? '', field, errors);
  }
  if (!semanticEqual(event.source, old.source)) {
    const { component = '', host = '' } = event.source;
    errors.invalid('source', { Component: component, Host: host }, 'field is immutable');
  }
  for (const field of ['firstTimestamp', 'lastTimestamp', 'eventTime'] as const) validateImmutable(event[field], old[field], field, errors);
  validateImmutable(event.count ?? 0, old.count ?? 0, 'count', errors);
  validateSameReference(event.related, old.related, 'related', errors);
  validateImmutable(event.reportingComponent ?? '', old.reportingComponent ?? '', 'reportingController', errors);
}

function validateSameReference(reference: ObjectReference | undefined, old: ObjectReference | undefined, path: string, errors: FieldErrors): void {
  if (!semanticEqual(reference, old)) errors.invalid(path, goForm(ObjectReference, reference), 'field is immutable');
}
