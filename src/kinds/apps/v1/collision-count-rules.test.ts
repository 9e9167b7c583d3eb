import { daemonsets } from '#kinds/apps/v1/daemon-set-resource.ts';
import { deployments } from '#kinds/apps/v1/deployment-resource.ts';
import { statefulsets } from '#kinds/apps/v1/stateful-set-resource.ts';
import { describeUpdateRefusals } from '../../../../test/support/rule-cases.ts';

const counted = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'one' },
  spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
  status: { collisionCount: 2 },
};

describeUpdateRefusals(
  'deployments that collided',
  deployments,
  counted,
  [['fewer collisions than before', { 'status.collisionCount': 1 }, 'status.collisionCount: Invalid value: 1: cannot be decremented']],
  'status',
);

const countedSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'one' },
  spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
  status: { replicas: 0, collisionCount: 2 },
};

describeUpdateRefusals(
  'stateful sets that collided',
  statefulsets,
  countedSet,
  [['fewer collisions than before', { 'status.collisionCount': 1 }, 'status.collisionCount: Invalid value: 1: cannot be decremented']],
  'status',
);

const countedDaemons = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'two' },
  spec: { selector: { matchLabels: { app: 'web' } }, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } } },
  status: { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0, collisionCount: 2 },
};

describeUpdateRefusals(
  'daemon sets that collided',
  daemonsets,
  countedDaemons,
  [['fewer collisions than before', { 'status.collisionCount': 1 }, 'status.collisionCount: Invalid value: 1: cannot be decremented']],
  'status',
);
