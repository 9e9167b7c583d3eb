import { describe, expect, test } from 'vitest';
import { isEstablished, settledStatus, usedNames } from '#crd/definition-status.ts';
import type { CustomResourceDefinition } from '#kinds/apiextensions/v1/custom-resource-definition.ts';

const now = '2026-01-01T00:00:00Z';
const nobody = usedNames([]);

function definition(plural: string, more: object = {}): CustomResourceDefinition {
  const names = { plural, singular: plural.slice(0, -1), kind: plural.toUpperCase(), listKind: `${plural}List`, ...more };
  const status = { acceptedNames: { plural: '', kind: '' } };
  return { metadata: { name: `${plural}.example.com` }, spec: { group: 'example.com', names, scope: 'Namespaced', versions: [] }, status };
}

const withStatus = (crd: CustomResourceDefinition) => ({ ...crd, status: settledStatus(crd, nobody, now) });

describe('the status of a definition', () => {
  test('says that free names are accepted and the kind is served', () => {
    const status = settledStatus(definition('foos'), nobody, now);
    expect(status.conditions?.map(({ type, status: value, reason }) => [type, value, reason])).toEqual([
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ]);
    expect(status.acceptedNames).toMatchObject({ plural: 'foos', singular: 'foo' });
  });

  test('says when unknown fields are preserved everywhere, and no longer when they are not', () => {
    const { spec, ...rest } = definition('foos');
    const old = withStatus({ ...rest, spec: { ...spec, preserveUnknownFields: true } });
    expect(old.status.conditions?.at(-1)).toMatchObject({ type: 'NonStructuralSchema', status: 'True', reason: 'Violations' });
    const renewed = settledStatus({ ...old, spec }, nobody, now);
    expect(renewed.conditions?.map(({ type }) => type)).toEqual(['NamesAccepted', 'Established']);
  });

  test('is not established while the authority of its conversion webhook cannot be read', () => {
    const { spec, ...rest } = definition('foos');
    const conversion = { strategy: 'Webhook', webhook: { clientConfig: { caBundle: 'aGVsbG8=' }, conversionReviewVersions: ['v1'] } };
    const waiting = withStatus({ ...rest, spec: { ...spec, conversion } });
    expect(waiting.status.conditions?.at(-1)).toMatchObject({ type: 'Established', status: 'False', reason: 'InvalidCABundle' });
    expect(isEstablished(settledStatus({ ...waiting, spec }, nobody, now))).toBe(true);
  });

  test('stays the same object once it is settled', () => {
    const settled = withStatus(definition('foos'));
    expect(settledStatus(settled, nobody, 'later')).toBe(settled.status);
  });

  test('names the conflict, accepts the other names, and is mended when the other goes', () => {
    const first = withStatus(definition('foos', { shortNames: ['f'] }));
    const second = definition('bars', { shortNames: ['f'] });
    const refused = settledStatus(second, usedNames([first]), now);
    expect(isEstablished(refused)).toBe(false);
    expect(refused.conditions?.[0]).toMatchObject({ status: 'False', reason: 'ShortNamesConflict', message: '"f" is already in use' });
    expect(refused.acceptedNames.plural).toBe('bars');
    expect(isEstablished(settledStatus({ ...second, status: refused }, nobody, now))).toBe(true);
  });

  test('of an established definition stays established when a new name is taken', () => {
    const first = withStatus(definition('foos', { shortNames: ['f'] }));
    const second = withStatus(definition('bars'));
    const wants = { ...second, spec: { ...second.spec, names: { ...second.spec.names, shortNames: ['f'] } } };
    const status = settledStatus(wants, usedNames([first]), now);
    expect(isEstablished(status)).toBe(true);
    expect(status.conditions?.[0]).toMatchObject({ type: 'NamesAccepted', status: 'False' });
  });
});
