// May a container be started again after it has ended?
import type { Container } from '#kinds/core/v1/container/container.ts';
import type { PodSpec } from '#kinds/core/v1/pod/pod-spec.ts';

export function containerShouldRestart({ restartPolicy, restartPolicyRules = [] }: Container, spec: PodSpec, exitCode: number): boolean {
  if (restartPolicy !== undefined) {
    const rule = restartPolicyRules.find(({ exitCodes }) => {
      if (exitCodes === undefined) return false;
      const listed = exitCodes.values?.includes(exitCode) ?? false;
      return exitCodes.operator === 'In' ? listed : exitCodes.operator === 'NotIn' && !listed;
    });
    if (rule?.action === 'Restart' || rule?.action === 'RestartAllContainers') return true;
  }
  const policy = restartPolicy ?? spec.restartPolicy;
  return policy === 'Never' ? false : policy === 'OnFailure' ? exitCode !== 0 : true;
}

/** Some rule restarts all of them. */
export function allContainersCouldRestart({ containers = [], initContainers = [] }: PodSpec): boolean {
  return [...initContainers, ...containers].some(({ restartPolicyRules = [] }) => restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'));
}
