import { expect, test } from 'vitest';
import { webhookAnswer } from '#resource/webhook-answer.ts';

test('long integers in the answer of a webhook are exact', () => {
  const body = Buffer.from('{"n":9007199254740993}');
  expect(webhookAnswer({ code: 200, contentType: 'application/json', retryAfter: undefined, body })).toEqual({ n: 9007199254740993n });
});
