/** A pod of about 2.5 KB, as a controller creates it. */
export function samplePod(name: string): Record<string, unknown> {
  const probe = (path: string) => ({ httpGet: { path, port: 8080, scheme: 'HTTP' }, initialDelaySeconds: 5, periodSeconds: 10, timeoutSeconds: 3 });
  const container = (container: string, image: string) => ({
    name: container,
    image,
    args: ['--log-level=info', '--listen=:8080', '--config=/etc/app/config.yaml'],
    ports: [
      { name: 'http', containerPort: 8080 },
      { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
    ],
    env: [
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'MODE', value: 'production' },
    ],
    resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '64Mi' } },
    volumeMounts: [
      { name: 'config', mountPath: '/etc/app', readOnly: true },
      { name: 'cache', mountPath: '/var/cache' },
    ],
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, runAsNonRoot: true },
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      labels: { app: 'web', 'app.kubernetes.io/part-of': 'shop', 'pod-template-hash': '7d4b9c6f5', tier: 'frontend' },
      annotations: { 'prometheus.io/port': '9090', 'prometheus.io/scrape': 'true' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'web-7d4b9c6f5',
          uid: '6f1c0f5e-9f5d-4f7e-8a55-0d6b0a7f9b11',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [container('web', 'registry.example.com/shop/web:1.42.0'), container('proxy', 'registry.example.com/mesh/proxy:2.7.1')],
      nodeSelector: { 'kubernetes.io/os': 'linux' },
      serviceAccountName: 'web',
      tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }],
      volumes: [
        { name: 'config', configMap: { name: 'web-config' } },
        { name: 'cache', emptyDir: { sizeLimit: '1Gi' } },
      ],
    },
  };
}
