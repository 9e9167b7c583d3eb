import { expect, test } from 'vitest';
import { isOn, refuseAbsentControllers } from '#app/loops/controllers.ts';

test('a controller is chosen by its name or its alias, and what names it first decides', () => {
  expect(isOn(['*'], 'namespace-controller')).toBe(true);
  expect(isOn(['*', '-namespace'], 'namespace-controller')).toBe(false);
  expect(isOn(['*', '-namespace-controller'], 'namespace-controller')).toBe(false);
  expect(isOn(['garbagecollector'], 'garbage-collector-controller')).toBe(true);
  expect(isOn(['garbagecollector'], 'namespace-controller')).toBe(false);
  expect(isOn(['namespace', '-namespace'], 'namespace-controller')).toBe(true);
  expect(isOn([], 'namespace-controller')).toBe(false);
});

test('one that is off by default runs only when it is named', () => {
  expect(isOn(['*'], 'token-cleaner-controller', true)).toBe(false);
  expect(isOn(['*', 'tokencleaner'], 'token-cleaner-controller', true)).toBe(true);
});

test('a controller of the original that is not part of this server is refused when it is asked for, not when it is left out', () => {
  expect(() => refuseAbsentControllers(['*', 'service-lb-controller'])).toThrow(/this server has no service-lb-controller; it has .*namespace-controller/);
  expect(() => refuseAbsentControllers(['*', '-service-lb-controller', 'namespace'])).not.toThrow();
});
