/** A pod that uses most of what pods have, and with which nothing is wrong. */
export const validPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'one',
    labels: {
      app: 'web',
    },
  },
  spec: {
    serviceAccountName: 'runner',
    volumes: [
      {
        name: 'data',
        emptyDir: {
          sizeLimit: '1Gi',
        },
      },
      {
        name: 'block',
        persistentVolumeClaim: {
          claimName: 'disk',
        },
      },
      {
        name: 'conf',
        configMap: {
          name: 'cm',
          items: [
            {
              key: 'k',
              path: 'a/b',
              mode: 420,
            },
          ],
        },
      },
      {
        name: 'api',
        downwardAPI: {
          items: [
            {
              path: 'labels',
              fieldRef: {
                fieldPath: 'metadata.labels',
              },
            },
          ],
        },
      },
      {
        name: 'all',
        projected: {
          sources: [
            {
              serviceAccountToken: {
                path: 'token',
                expirationSeconds: 3600,
              },
            },
            {
              secret: {
                name: 's',
                items: [
                  {
                    key: 'k',
                    path: 's',
                  },
                ],
              },
            },
          ],
        },
      },
    ],
    initContainers: [
      {
        name: 'setup',
        image: 'registry.example/setup:1',
      },
      {
        name: 'side',
        image: 'registry.example/side:1',
        restartPolicy: 'Always',
      },
    ],
    containers: [
      {
        name: 'main',
        image: 'registry.example/app:1',
        ports: [
          {
            name: 'http',
            containerPort: 80,
          },
          {
            containerPort: 53,
            protocol: 'UDP',
          },
        ],
        env: [
          {
            name: 'A',
            value: 'b',
          },
          {
            name: 'POD',
            valueFrom: {
              fieldRef: {
                fieldPath: 'metadata.name',
              },
            },
          },
        ],
        envFrom: [
          {
            configMapRef: {
              name: 'cm',
            },
          },
        ],
        resources: {
          requests: {
            cpu: '100m',
            memory: '64Mi',
          },
          limits: {
            cpu: '1',
            memory: '128Mi',
          },
        },
        volumeMounts: [
          {
            name: 'data',
            mountPath: '/data',
            subPath: 'sub',
          },
        ],
        volumeDevices: [
          {
            name: 'block',
            devicePath: '/dev/block',
          },
        ],
        livenessProbe: {
          httpGet: {
            path: '/live',
            port: 'http',
          },
        },
        readinessProbe: {
          exec: {
            command: ['true'],
          },
        },
        startupProbe: {
          tcpSocket: {
            port: 80,
          },
        },
        lifecycle: {
          preStop: {
            sleep: {
              seconds: 5,
            },
          },
        },
        securityContext: {
          runAsUser: 1000,
          allowPrivilegeEscalation: false,
          capabilities: {
            drop: ['ALL'],
          },
          seccompProfile: {
            type: 'RuntimeDefault',
          },
        },
      },
    ],
    securityContext: {
      runAsNonRoot: true,
      fsGroup: 2000,
      supplementalGroups: [1],
      sysctls: [
        {
          name: 'kernel.shm_rmid_forced',
          value: '1',
        },
      ],
    },
    tolerations: [
      {
        key: 'k',
        operator: 'Equal',
        value: 'v',
        effect: 'NoExecute',
        tolerationSeconds: 5,
      },
    ],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            {
              matchExpressions: [
                {
                  key: 'zone',
                  operator: 'In',
                  values: ['a'],
                },
              ],
              matchFields: [
                {
                  key: 'metadata.name',
                  operator: 'In',
                  values: ['n'],
                },
              ],
            },
          ],
        },
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 1,
            preference: {
              matchExpressions: [
                {
                  key: 'x',
                  operator: 'Exists',
                },
              ],
            },
          },
        ],
      },
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: {
              matchLabels: {
                a: 'b',
              },
            },
            topologyKey: 'zone',
            namespaces: ['ns'],
          },
        ],
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 5,
            podAffinityTerm: {
              labelSelector: {},
              topologyKey: 'zone',
            },
          },
        ],
      },
    },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'zone',
        whenUnsatisfiable: 'DoNotSchedule',
        minDomains: 2,
        labelSelector: {
          matchLabels: {
            app: 'web',
          },
        },
      },
    ],
    dnsConfig: {
      nameservers: ['10.0.0.1'],
      searches: ['example.com'],
      options: [
        {
          name: 'ndots',
          value: '2',
        },
      ],
    },
    hostAliases: [
      {
        ip: '10.0.0.2',
        hostnames: ['a.example'],
      },
    ],
    nodeSelector: {
      disk: 'ssd',
    },
    readinessGates: [
      {
        conditionType: 'example.com/ok',
      },
    ],
    hostname: 'h',
    subdomain: 's',
    activeDeadlineSeconds: 100,
  },
};
