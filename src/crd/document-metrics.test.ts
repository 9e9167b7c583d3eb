import { expect, test } from 'vitest';
import { DocumentMetrics } from '#crd/document-metrics.ts';

test('changes of the documents are counted by definition, group-version and reason, however late they are asked for', () => {
  const metrics = new DocumentMetrics();
  const groupVersions = [
    { group: 'example.com', version: 'v1' },
    { group: 'example.com', version: 'v2' },
  ];
  metrics.observe([{ name: 'widgets.example.com', reason: 'add', groupVersions }]);
  for (let times = 0; times < 150; times++) {
    metrics.observe([{ name: 'widgets.example.com', reason: 'update', groupVersions: groupVersions.slice(0, 1) }]);
  }
  const shown = metrics.metrics().map(({ name, samples }) => ({ name, samples: [...samples()] }));
  const ofDefinition = { crd: 'widgets.example.com' };
  const [first, second] = groupVersions;
  expect(shown).toEqual([
    {
      name: 'apiextensions_openapi_v2_regeneration_count',
      samples: [
        { labels: { ...ofDefinition, reason: 'add' }, value: 1 },
        { labels: { ...ofDefinition, reason: 'update' }, value: 150 },
      ],
    },
    {
      name: 'apiextensions_openapi_v3_regeneration_count',
      samples: [
        { labels: { ...ofDefinition, ...first, reason: 'add' }, value: 1 },
        { labels: { ...ofDefinition, ...second, reason: 'add' }, value: 1 },
        { labels: { ...ofDefinition, ...first, reason: 'update' }, value: 150 },
      ],
    },
  ]);
});
