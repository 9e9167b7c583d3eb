import { expect, test } from 'vitest';
import { callInProcess } from '#server/front/in-process-carrier.ts';
import { allowOrigins } from '#server/middleware/allow-origins.ts';
import { readAnswer } from '../../../test/support/read-answer.ts';

const handler = allowOrigins([/\/\/good\.example(:|$)/])(async (exchange) => exchange.send(200, 'text/plain', 'served'));
const ask = (method: string, headers: Record<string, string>) => callInProcess(handler, { method, path: '/', headers }).then(readAnswer);

test('a page of a named origin may read the answer', async () => {
  const { headers, text } = await ask('GET', { origin: 'https://good.example:8080' });
  expect(text).toBe('served');
  expect(headers).toMatchObject({
    'access-control-allow-origin': 'https://good.example:8080',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST, GET, OPTIONS, PUT, DELETE, PATCH',
    'access-control-expose-headers': 'Date',
  });
});

test('its question whether it may ask is answered at once', async () => {
  expect(await ask('OPTIONS', { origin: 'https://good.example' })).toMatchObject({ code: 204, text: '' });
});

test.each([{ origin: 'https://bad.example' }, { origin: 'https://good.example.bad' }, {}])('nobody else learns anything: %j', async (headers) => {
  const answer = await ask('OPTIONS', headers as Record<string, string>);
  expect(answer.text).toBe('served');
  expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
});
