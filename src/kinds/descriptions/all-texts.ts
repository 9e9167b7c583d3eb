import {
  authenticationTexts,
  authorizationTexts,
  certificatesAlphaTexts,
  certificatesBetaTexts,
  certificatesTexts,
  rbacTexts,
} from '#kinds/descriptions/access.ts';
import { appsTexts } from '#kinds/descriptions/apps.ts';
import { autoscalingTexts } from '#kinds/descriptions/autoscaling.ts';
import { batchTexts } from '#kinds/descriptions/batch.ts';
import { containerTexts } from '#kinds/descriptions/core-container.ts';
import { podTexts } from '#kinds/descriptions/core-pod.ts';
import { volumeTexts } from '#kinds/descriptions/core-volume.ts';
import { coreTexts } from '#kinds/descriptions/core.ts';
import { admissionRegistrationTexts, apiExtensionsTexts, apiRegistrationTexts } from '#kinds/descriptions/extension.ts';
import type { GroupTexts } from '#kinds/descriptions/group-texts.ts';
import { machineryTexts, metaTexts } from '#kinds/descriptions/meta.ts';
import { discoveryTexts, networkingTexts } from '#kinds/descriptions/networking.ts';
import { eventsTexts, flowControlTexts, resourceTexts } from '#kinds/descriptions/resource.ts';
import { candidateTexts, coordinationTexts, nodeTexts, policyTexts, schedulingTexts, workloadTexts } from '#kinds/descriptions/scheduling.ts';
import { internalTexts, storageMigrationTexts, storageTexts } from '#kinds/descriptions/storage.ts';

export const allTexts: readonly GroupTexts[] = [
  metaTexts,
  ...machineryTexts,
  podTexts,
  containerTexts,
  volumeTexts,
  coreTexts,
  appsTexts,
  batchTexts,
  ...autoscalingTexts,
  networkingTexts,
  discoveryTexts,
  eventsTexts,
  policyTexts,
  rbacTexts,
  authenticationTexts,
  authorizationTexts,
  certificatesTexts,
  certificatesBetaTexts,
  certificatesAlphaTexts,
  coordinationTexts,
  candidateTexts,
  nodeTexts,
  schedulingTexts,
  workloadTexts,
  storageTexts,
  storageMigrationTexts,
  internalTexts,
  flowControlTexts,
  ...resourceTexts,
  admissionRegistrationTexts,
  apiExtensionsTexts,
  apiRegistrationTexts,
];
