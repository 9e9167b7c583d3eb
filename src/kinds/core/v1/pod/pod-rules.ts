// The rules that hold for one pod or pod template; `rules-for-pod.ts` decides them.

export type Gate = (name: string) => boolean;

export interface PodRules {
  /** A pod, not a template. */
  readonly isPod: boolean;
  readonly privileged: boolean;
  readonly strictAddresses: boolean;
  readonly podLevelResources: boolean;
  readonly resizePodLevel: boolean;
  readonly envFiles: boolean;
  readonly restartRules: boolean;
  readonly restartAll: boolean;
  readonly comparingTolerations: boolean;
  readonly hostNetworkWithUserNamespaces: boolean;
  readonly onlyRecursiveSeLinux: boolean;
  readonly matchLabelKeys: 'off' | 'plain' | 'merged';
  readonly imageDigests: boolean;
  // What the stored object has may stay.
  readonly anyDeletionCost: boolean;
  readonly anyHugePages: boolean;
  readonly anyAffinityValue: boolean;
  readonly anyNodeAffinityValue: boolean;
  readonly anySpreadSelector: boolean;
  readonly anyMatchLabelKeys: boolean;
  readonly anyTokenPath: boolean;
  readonly anyHostSysctl: boolean;
  readonly anyInitResizePolicy: boolean;
  readonly anyVolumeDevices: boolean;
}
