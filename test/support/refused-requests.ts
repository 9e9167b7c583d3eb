// Tables of requests that must be refused, put to a whole server in this process, and with REFERENCE_SERVER to a real kube-apiserver too:
// for what the rules of a kind do not see (options, subresources with a meaning of their own, allocation, admission).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Status } from '#api/status.ts';
import { referenceFor, send } from './reference-answers.ts';
import { type Refused, refusedWith, registerRefusals, shownRefusal } from './refusals.ts';
import { ServerInTest } from './server-in-test.ts';

export interface AskedRequest {
  /** What is wrong with it, where the request does not tell. */
  readonly what?: string;
  readonly body?: object;
  /** Content type of the body. */
  readonly type?: string;
  readonly accept?: string;
}

/** `request` is `METHOD /path?query`. */
export type RefusedRequest = readonly [request: string, asked: AskedRequest, ...errors: string[]];

export interface RequestTable {
  readonly name: string;
  /** As coverage knows it: `request`, or the subresource. */
  readonly write: string;
  readonly kind: string;
  /** Objects that must be there, by the path they are posted to. */
  readonly objects?: readonly (readonly [path: string, object: object])[];
  readonly cases: readonly RefusedRequest[];
  readonly flags?: readonly string[];
  readonly gates?: Readonly<Record<string, string>>;
  /** False: the real server answers something else, for a reason that the table tells. */
  readonly asked?: boolean;
  /** For answers that are not 422: what is expected instead of causes. */
  readonly answer?: (errors: readonly string[]) => Refused;
}

type Ask = (request: string, asked: AskedRequest) => Promise<Refused>;

export function describeRefusedRequests({
  name,
  write,
  kind,
  objects = [],
  cases,
  flags = [],
  gates = {},
  asked: isAsked = true,
  answer = refusedWith,
}: RequestTable): void {
  registerRefusals(write, kind, cases);
  describe(name, () => {
    let server: ServerInTest;
    beforeAll(async () => {
      server = await ServerInTest.start({ flags });
      await prepare(objects, ourAnswer(server));
      if (isAsked) await prepare(objects, referenceAnswer(gates));
    });
    afterAll(() => server[Symbol.asyncDispose]());

    test.each(cases.map(([request, asked, ...errors]) => ({ request, asked, errors, what: asked.what ?? '' })))(
      'refuse $request $what',
      async ({ request, asked, errors }) => {
        expect(await ourAnswer(server)(request, asked)).toEqual(answer(errors));
        const reference = isAsked ? referenceAnswer(gates) : undefined;
        if (reference) expect(await reference(request, asked)).toEqual(answer(errors));
      },
    );
  });
}

async function prepare(objects: readonly (readonly [path: string, object: object])[], ask: Ask | undefined): Promise<void> {
  for (const [path, body] of objects) await ask?.(`POST ${path}`, { body });
}

export function ourAnswer(server: ServerInTest): Ask {
  return async (request, { body, type = 'application/json', accept = 'application/json' }) => {
    const [method = '', path = ''] = request.split(' ');
    const { json, code } = await server.ask(method, path, body, { type, headers: { accept } });
    return shownRefusal(code < 400 ? undefined : (json as unknown as Status));
  };
}

export function referenceAnswer(gates: Readonly<Record<string, string>>): Ask | undefined {
  const reference = referenceFor(gates);
  if (reference === undefined) return undefined;
  return async (request, { body, type, accept }) => {
    const [method = '', path = ''] = request.split(' ');
    const status = await send(reference, method, path, body, type, accept);
    return shownRefusal(status.kind === 'Status' && status.status === 'Failure' ? status : undefined);
  };
}
