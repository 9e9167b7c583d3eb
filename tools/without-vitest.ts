// Replaces `vitest` by functions that define nothing, so that test files can be loaded for the tables they hold.
import { register } from 'node:module';

const stub = `
  const nothing = new Proxy(function () {}, { get: (_target, key) => (key === 'then' ? undefined : nothing), apply: () => nothing });
  export const describe = Object.assign((_name, body) => { if (typeof body === 'function') body(); }, { each: () => nothing, skipIf: () => nothing, skip: nothing, runIf: () => nothing });
  export const test = nothing, it = nothing, expect = nothing, vi = nothing, beforeAll = nothing, afterAll = nothing, beforeEach = nothing, afterEach = nothing;
`;

export function registerHooks(): void {
  const stubUrl = `data:text/javascript,${encodeURIComponent(stub)}`;
  const hooks = `export async function resolve(specifier, context, next) {
    return specifier === 'vitest' ? { url: ${JSON.stringify(stubUrl)}, shortCircuit: true } : next(specifier, context);
  }`;
  register(`data:text/javascript,${encodeURIComponent(hooks)}`);
}
