import { expect, test } from 'vitest';
import { startStages } from '#app/loops/start-stages.ts';
import { bootstrapSteps } from '#controllers/bootstrap/bootstrap.ts';
import { postStartHookNames } from '#server/health/post-start-hooks.ts';

test('every post-start hook belongs to exactly one step of the start', () => {
  const claimed = [...bootstrapSteps.map(({ hook }) => hook), ...Object.values(startStages).flat()];
  expect([...claimed].sort()).toEqual([...postStartHookNames].sort());
});
