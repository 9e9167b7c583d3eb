import { expect, test } from 'vitest';
import { ApiError } from '#api/api-error.ts';
import { kinds } from '#client/kinds.ts';
import { RestClient } from '#client/rest-client.ts';
import type { ObjectView } from '#controllers/workloads/controlled-objects.ts';
import { OwnWrites, unheardPatienceMs } from '#controllers/workloads/own-writes.ts';

const web: ObjectView = { namespace: 'default', name: 'web-1', uid: 'u1', revision: 5, labels: {}, controller: undefined, isDeleting: false };

/** `there`: what the server would answer to a GET of a pod. */
function setUp() {
  const state = { now: 0, revision: 0, views: new Map<string, ObjectView>(), there: undefined as object | undefined };
  const client = new RestClient(async () => {
    if (state.there === undefined) throw new ApiError(404, 'NotFound', 'gone');
    return {
      code: 200,
      headers: {},
      chunks: (async function* () {
        yield Buffer.from(JSON.stringify(state.there));
      })(),
    };
  }, 'test');
  const view = {
    get revision() {
      return state.revision;
    },
    get: (_: string, name: string) => state.views.get(name),
  };
  return { state, writes: new OwnWrites({ client, resource: kinds.pods, view, now: () => state.now }) };
}

function written(resourceVersion: string) {
  return { metadata: { namespace: 'default', name: 'web-1', uid: 'u1', resourceVersion } };
}

test('what was written is waited for until the view has reached it', async () => {
  const { state, writes } = setUp();
  expect(await writes.areHeard('default/web')).toBe(true);
  writes.wrote('default/web', written('7'));
  writes.wrote('default/web', written('6'));
  state.revision = 6;
  expect(await writes.areHeard('default/web')).toBe(false);
  expect(await writes.areHeard('default/other')).toBe(true);
  state.revision = 7;
  expect(await writes.areHeard('default/web')).toBe(true);
});

test('a deletion is heard when the object goes, is gone, or is another one', async () => {
  for (const after of [undefined, { ...web, isDeleting: true }, { ...web, uid: 'u2' }]) {
    const { state, writes } = setUp();
    state.views.set('web-1', web);
    writes.deleting('default/web', web);
    expect(await writes.areHeard('default/web')).toBe(false);
    if (after) state.views.set('web-1', after);
    else state.views.delete('web-1');
    expect(await writes.areHeard('default/web')).toBe(true);
  }
});

test('a deletion that was refused is not waited for', async () => {
  const { state, writes } = setUp();
  state.views.set('web-1', web);
  writes.deleting('default/web', web);
  writes.kept('default/web', web);
  expect(await writes.areHeard('default/web')).toBe(true);
});

test('a write that is not heard of for long is looked up: what the server does not have will never be heard of', async () => {
  const { state, writes } = setUp();
  writes.wrote('default/web', written('7'));
  state.now = unheardPatienceMs;
  state.there = written('7');
  expect(await writes.areHeard('default/web')).toBe(false);
  state.there = undefined;
  expect(await writes.areHeard('default/web')).toBe(true);
});
