import { describe, expect, test } from 'vitest';
import { serviceProblem } from '#controllers/api-service-status.ts';

type Service = NonNullable<Parameters<typeof serviceProblem>[1]>;
type Slice = Parameters<typeof serviceProblem>[2][number];

const reference = { namespace: 'default', name: 'api', port: 443 };
const service = { metadata: {}, spec: { type: 'ClusterIP', ports: [{ name: 'https', port: 443 }] }, status: {} } as unknown as Service;
const slice = { metadata: {}, addressType: 'IPv4', ports: [{ name: 'https', port: 8443 }], endpoints: [{ addresses: ['10.0.0.1'] }] } as unknown as Slice;

describe('an API behind a service', () => {
  test.each([
    ['no service', undefined, [], 'ServiceNotFound', 'service/api in "default" is not present'],
    [
      'another port',
      { ...service, spec: { type: 'ClusterIP', ports: [{ port: 80 }] } },
      [],
      'ServicePortError',
      'service/api in "default" is not listening on port 443',
    ],
    ['no endpoints', service, [], 'EndpointsNotFound', 'cannot find endpointslices for service/api in "default"'],
    [
      'no addresses',
      service,
      [{ ...slice, endpoints: [] }],
      'MissingEndpoints',
      'endpointslices for service/api in "default" have no addresses with port name "https"',
    ],
  ])('that has %s is not available', (_what, given, slices, reason, message) => {
    expect(serviceProblem(reference, given as unknown as Service | undefined, slices as unknown as Slice[])).toEqual({ status: 'False', reason, message });
  });

  test('that has an address is asked whether it answers', () => {
    expect(serviceProblem(reference, service, [slice])).toBeUndefined();
  });
});
