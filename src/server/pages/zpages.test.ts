import { expect, test } from 'vitest';
import { parseRequestInfo } from '#api/request-info.ts';
import { documentRouter } from '#app/operations/documents.ts';
import { silentLog } from '#base/log.ts';
import { Status } from '#kinds/meta/v1/status.ts';
import { ResourceCatalog } from '#resource/catalog.ts';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { answerErrors } from '#server/middleware/answer-errors.ts';
import { readAnswer } from '../../../test/support/read-answer.ts';

const started = new Date('2026-11-16T00:54:28Z');
const verbosity = { value: 0 };
const { handle } = documentRouter({
  catalog: new ResourceCatalog([]),
  serverAddress: '',
  checks: [],
  log: silentLog,
  clock: { now: () => new Date('2026-11-16T02:00:00.900Z') },
  debug: { started, flags: () => ({ a: '1', 'secure-port': '6443' }), verbosity },
});
const handler = answerErrors(
  silentLog,
  Status,
)((exchange) => {
  exchange.info = parseRequestInfo(exchange);
  return handle(exchange);
});

function ask(path: string, accept: string, method = 'GET', body = '') {
  return callInProcess(handler, { method, path, headers: { accept }, body }).then(readAnswer);
}

const structured = 'application/json;as=Statusz;v=v1beta1;g=config.k8s.io';

test.each(['', '*/*', 'text/plain', 'text/*', 'text/html,*/*', `text/plain,${structured}`, 'application/json;as=Statusz;v=v9;g=config.k8s.io,text/plain'])(
  '/statusz is text for Accept %j',
  async (accept) => {
    const { text, headers } = await ask('/statusz', accept);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^\napiserver statusz\nWarning: This endpoint is not meant to be machine parseable/);
    expect(text).toContain('\n\nStarted:  Mon Nov 16 00:54:28 UTC 2026\nUp:  1 hr 05 min 32 sec\n');
  },
);

test('/statusz is a document for who names it', async () => {
  const answer = await ask('/statusz', structured);
  expect(answer.headers['content-type']).toBe('application/json;g=config.k8s.io;v=v1beta1;as=Statusz');
  expect(answer.json).toMatchObject({ kind: 'Statusz', apiVersion: 'config.k8s.io/v1beta1', metadata: { name: 'apiserver' }, uptimeSeconds: 3932 });
});

test('/flagz shows every flag', async () => {
  expect((await ask('/flagz', '')).text).toMatch(/\na=1\nsecure-port=6443\n$/);
  expect((await ask('/flagz', 'application/yaml;as=Flagz;v=v1beta1;g=config.k8s.io')).text).toContain('flags:\n  a: "1"\n');
});

test.each(['application/json', 'application/xml', structured.replace('Statusz', 'Flagz')])('/statusz is refused for Accept %s', async (accept) => {
  expect(await ask('/statusz', accept)).toMatchObject({
    code: 406,
    json: { message: 'only the following media types are accepted: application/json, application/yaml, text/plain' },
  });
});

test('the verbosity of the log can be changed', async () => {
  expect(await ask('/debug/flags/v', '', 'PUT', '4')).toMatchObject({ code: 200, text: 'successfully set klog.logging.verbosity to 4\n' });
  expect(verbosity.value).toBe(4);
  expect(await ask('/debug/flags/v', '', 'PUT', 'x')).toMatchObject({ code: 400 });
  expect(await ask('/debug/flags/v', '')).toMatchObject({ code: 406, text: 'unsupported http method\n' });
  expect(verbosity.value).toBe(4);
  expect((await ask('/debug/flags', '')).headers['content-type']).toBe('text/html; charset=utf-8');
});
