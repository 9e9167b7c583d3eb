import { describe, expect, test } from 'vitest';
import { type Pod } from '#kinds/core/v1/pod/pod.ts';
import { pods } from '#kinds/core/v1/pod/pod-resource.ts';
import { type PodTemplate } from '#kinds/core/v1/pod/pod-template.ts';
import { podtemplates } from '#kinds/core/v1/pod/pod-template-resource.ts';
import { decodeValue } from '#schema/json/decode.ts';
import { applyDefaults } from '#schema/defaults.ts';

function defaulted(spec: object, rest: object = {}): Pod {
  const { object } = decodeValue(pods.schema, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'one' }, spec, ...rest });
  applyDefaults(pods, object);
  return object as unknown as Pod;
}

const container = { name: 'main', image: 'nginx' };

describe('defaults of a pod', () => {
  test('fill in policies, grace period, scheduler and the container', () => {
    const { spec } = defaulted({ containers: [container] });
    expect(spec).toMatchObject({
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      terminationGracePeriodSeconds: 30,
      securityContext: {},
      enableServiceLinks: true,
      containers: [{ imagePullPolicy: 'Always', terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' }],
    });
  });

  test('request what is limited, but leave requests that are there', () => {
    const resources = { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m' } };
    const { spec } = defaulted({ containers: [{ ...container, resources }] });
    expect(spec.containers?.[0]?.resources.requests).toEqual({ cpu: '100m', memory: '1Gi' });
  });

  test('add up what containers request for a pod that is limited as a whole', () => {
    const own = (cpu: string) => ({ requests: { cpu } });
    const { spec } = defaulted({
      resources: { limits: { cpu: '2', memory: '1Gi' } },
      initContainers: [
        { name: 'setup', image: 'x', resources: own('700m') },
        { name: 'side', image: 'x', restartPolicy: 'Always', resources: own('100m') },
      ],
      containers: [
        { ...container, resources: own('250m') },
        { name: 'two', image: 'x', resources: own('250m') },
      ],
    });
    expect(spec.resources?.requests).toEqual({ cpu: '700m', memory: '1Gi' });
  });

  test('open ports of a pod on the network of its host there as well', () => {
    const { spec } = defaulted({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 81 }] }] });
    expect(spec.containers?.[0]?.ports?.map(({ hostPort }) => hostPort)).toEqual([80, 81]);
  });

  test('copy the two names of the service account to each other, the newer winning', () => {
    expect(defaulted({ containers: [container], serviceAccount: 'old' }).spec).toMatchObject({ serviceAccount: 'old', serviceAccountName: 'old' });
    expect(defaulted({ containers: [container], serviceAccount: 'old', serviceAccountName: 'new' }).spec).toMatchObject({ serviceAccount: 'new' });
  });

  test('make a negative grace period one second, in pods only', () => {
    expect(defaulted({ containers: [container], terminationGracePeriodSeconds: -5 }).spec.terminationGracePeriodSeconds).toBe(1);
    const body = {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'one' },
      template: { spec: { containers: [container], terminationGracePeriodSeconds: -5 } },
    };
    const { object } = decodeValue(podtemplates.schema, body);
    applyDefaults(podtemplates, object);
    expect((object as unknown as PodTemplate).template.spec).toMatchObject({ terminationGracePeriodSeconds: -5 });
    expect((object as unknown as PodTemplate).template.spec.enableServiceLinks).toBeUndefined();
  });

  test('forget the annotations that once meant init containers', () => {
    const { metadata } = defaulted({ containers: [container] }, { metadata: { name: 'one', annotations: { 'pod.beta.kubernetes.io/init-containers': '[]' } } });
    expect(metadata.annotations).toBeUndefined();
  });

  test('fill in probes, hooks and ports', () => {
    const { spec } = defaulted({
      containers: [{ ...container, ports: [{ containerPort: 1 }], livenessProbe: { httpGet: { port: 1 } }, startupProbe: { grpc: { port: 1 } } }],
    });
    expect(spec.containers?.[0]).toMatchObject({
      ports: [{ protocol: 'TCP' }],
      livenessProbe: { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3, httpGet: { path: '/', scheme: 'HTTP' } },
      startupProbe: { grpc: { service: '' } },
    });
  });

  test('fill in volumes', () => {
    const { spec } = defaulted({
      containers: [container],
      volumes: [
        { name: 'a' },
        { name: 'b', secret: { secretName: 's' } },
        { name: 'c', hostPath: { path: '/' } },
        { name: 'd', image: { reference: 'x:1' } },
        { name: 'e', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        { name: 'f', downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
      ],
    });
    expect(spec.volumes).toMatchObject([
      { emptyDir: {} },
      { secret: { defaultMode: 420 } },
      { hostPath: { type: '' } },
      { image: { pullPolicy: 'IfNotPresent' } },
      { projected: { defaultMode: 420, sources: [{ serviceAccountToken: { expirationSeconds: 3600 } }] } },
      { downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1' } }] } },
    ]);
  });

  test('round amounts up to a thousandth', () => {
    const { spec } = defaulted({ containers: [{ ...container, resources: { limits: { cpu: '100u' } } }] });
    expect(spec.containers?.[0]?.resources.limits).toEqual({ cpu: '1m' });
  });

  test.each([
    [{ podIP: '10.0.0.1' }, ['10.0.0.1']],
    [{ podIPs: [{ ip: '10.0.0.2' }] }, ['10.0.0.2']],
    [{ podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.2' }, { ip: 'fd00::1' }] }, ['10.0.0.1']],
  ])('let the address and the list of addresses agree: %j', (status, ips) => {
    const pod = defaulted({ containers: [container] }, { status });
    expect(pod.status.podIPs?.map(({ ip }) => ip)).toEqual(ips);
    expect(pod.status.podIP).toBe(ips[0]);
  });
});
