// Admission of every verb and subresource: mutating plugins, then what the verb makes of the object (prepare, validate), then validating
// plugins. The object that comes out is the one to go on with: a plugin may have returned another.
import type { AdmissionRequest, Operation } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import { andThen } from '#base/and-then.ts';
import type { MaybePromise } from '#base/maybe-promise.ts';
import type { StructSchema } from '#schema/build.ts';
import type { Call } from '#verbs/call.ts';
import type { Outcome } from '#verbs/outcome.ts';

export interface AdmissionSubject {
  readonly operation: Operation;
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  /** Of `object`, where it is not of the resource's own kind. */
  readonly schema?: StructSchema | undefined;
  readonly name: string;
  readonly dryRun: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  readonly outcome?: Outcome | undefined;
}

/** What a verb does to the object between the two phases; throws to refuse it. */
export type Prepare = (object: KubernetesObject) => MaybePromise<KubernetesObject>;

export function admit(call: Call, subject: AdmissionSubject & { readonly object: KubernetesObject }, prepare: Prepare): MaybePromise<KubernetesObject> {
  const request = admissionRequest(call, subject);
  return andThen(call.world.admission.mutate(request), (object = subject.object) => prepared(call, request, object, prepare));
}

/** Deletions have no object of their own. `settled` is what becomes of the options between the two phases. */
export function admitDeletion(
  call: Call,
  subject: Omit<AdmissionSubject, 'operation' | 'object'>,
  settled: Readonly<Record<string, unknown>>,
): MaybePromise<void> {
  const { old, schema, name, dryRun, options, outcome } = subject;
  const request = admissionRequest(call, { operation: 'DELETE', object: undefined, old, schema, name, dryRun, options, outcome });
  return andThen(call.world.admission.mutate(request), () => call.world.admission.validate({ ...request, options: { ...request.options, ...settled } }));
}

/** exec, attach, portforward and proxies, before anything is said about their target; `options` is what the query asks for. */
export function admitConnect(call: Call, options: KubernetesObject, schema: StructSchema): MaybePromise<KubernetesObject> {
  const subject = { operation: 'CONNECT' as const, object: options, old: undefined, schema, name: call.name, dryRun: false, options: {} };
  return admit(call, subject, (object) => object);
}

/** The first half, for creations that try several names: mutating plugins are asked once, as upstream does. */
export function mutated(call: Call, subject: AdmissionSubject & { readonly object: KubernetesObject }): MaybePromise<KubernetesObject> {
  return andThen(call.world.admission.mutate(admissionRequest(call, subject)), (object = subject.object) => object);
}

/** The second half. A name that was generated meanwhile is known to validating plugins. */
export function admitMutated(call: Call, subject: AdmissionSubject & { readonly object: KubernetesObject }, prepare: Prepare): MaybePromise<KubernetesObject> {
  return prepared(call, admissionRequest(call, subject), subject.object, prepare);
}

function prepared(call: Call, request: AdmissionRequest, mutatedObject: KubernetesObject, prepare: Prepare): MaybePromise<KubernetesObject> {
  return andThen(prepare(mutatedObject), (object) => {
    const name = request.name || (object.metadata?.name ?? '');
    const validating = call.world.admission.validate(object === request.object && name === request.name ? request : { ...request, object, name });
    return validating ? validating.then(() => object) : object;
  });
}

function admissionRequest(call: Call, subject: AdmissionSubject): AdmissionRequest {
  const { world, definition, subresource, namespace, user, asker, warn, annotate } = call;
  const { clock, gate, lister, writer, catalog } = world;
  const { operation, object, old, schema, name, dryRun, options, outcome } = subject;
  // Field by field: dozens of plugins read it at every write, and what a spread makes is slow to make and to read.
  return {
    operation,
    object,
    old,
    schema,
    name,
    dryRun,
    options,
    onOutcome: outcome?.listen,
    definition,
    subresource,
    namespace,
    user,
    asker,
    warn,
    annotate,
    now: clock.now(),
    gate,
    lister,
    writer,
    catalog,
    reinvocation: { needed: false, isSecondPass: false },
  };
}
