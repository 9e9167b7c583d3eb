// What mutating webhooks remember between the two passes of one request: which of them were asked and want to look again when others change the object.
import type { Reinvocation } from '#admission/admission.ts';
import type { KubernetesObject } from '#api/object.ts';
import { clone } from '#schema/clone.ts';
import { equal } from '#schema/equal.ts';

const notesKey = 'MutatingAdmissionWebhook';

export class ReinvocationNotes {
  readonly #asked = new Set<string>();
  readonly #due = new Set<string>();
  #lastOutput: KubernetesObject | undefined;

  static of(reinvocation: Reinvocation): ReinvocationNotes {
    reinvocation.notes ??= new Map();
    let notes = reinvocation.notes.get(notesKey) as ReinvocationNotes | undefined;
    if (notes === undefined) reinvocation.notes.set(notesKey, (notes = new ReinvocationNotes()));
    return notes;
  }

  /** Plugins of ours that ran again may have changed the object. */
  isChanged(object: KubernetesObject | undefined): boolean {
    return !equal(this.#lastOutput, object);
  }

  remember(output: KubernetesObject | undefined): void {
    this.#lastOutput = output === undefined ? undefined : clone(output);
  }

  /** All that were asked so far and want it are due again. */
  askAgain(): void {
    for (const uid of this.#asked) this.#due.add(uid);
    this.#asked.clear();
  }

  wasAsked(uid: string): void {
    this.#asked.add(uid);
  }

  isDue(uid: string): boolean {
    return this.#due.has(uid);
  }
}
