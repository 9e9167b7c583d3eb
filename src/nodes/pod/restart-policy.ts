// Whether a container that ended is started again, and when: rules of the container, its own policy, then the policy of its pod.
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { ContainerState } from '#kinds/core/v1/container/container-status.ts';
import type { ContainerRole } from '#nodes/pod/pod-plan.ts';

/** After it has ended with this code. */
export type Restarts = (exitCode: number) => boolean;

export function restartsOf(container: Container, role: ContainerRole, podPolicy: string | undefined): Restarts {
  if (role === 'ephemeral') return () => false;
  const policy = container.restartPolicy ?? podPolicy ?? 'Always';
  return (exitCode) => {
    const rule = container.restartPolicyRules?.find(({ exitCodes }) => exitCodes !== undefined && isAmong(exitCodes, exitCode));
    if (rule !== undefined) return rule.action === 'Restart' || rule.action === 'RestartAllContainers';
    // An init container that has succeeded has done its work, whatever the policy.
    if (policy === 'Always') return role !== 'init' || exitCode !== 0;
    return policy === 'OnFailure' && exitCode !== 0;
  };
}

function isAmong({ operator, values = [] }: { readonly operator: string; readonly values?: readonly number[] | undefined }, exitCode: number): boolean {
  return values.includes(exitCode) === (operator === 'In');
}

const firstPauseMs = 10_000;
const longestPauseMs = 300_000;
/** Who ran for so long is forgiven what happened before. */
const forgivenAfterMs = 600_000;

export function pauseBeforeRestartMs(restartCount: number, { startedAt, finishedAt }: NonNullable<ContainerState['terminated']>): number {
  const ranMs = startedAt && finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : 0;
  if (restartCount === 0 || ranMs >= forgivenAfterMs) return 0;
  return Math.min(firstPauseMs * 2 ** (restartCount - 1), longestPauseMs);
}
