// Which controllers run where nobody named any and the server was started as kube-apiserver: the original has none, so tests written for it
// rely on the absence of every one that would touch what they make.
import type { FlagValues } from '#app/flags/flags.ts';
import type { ControllerName } from '#app/loops/controller-names.ts';

/** They end what the original alone leaves for ever: namespaces that terminate, dependents without an owner, roles without their rules. */
const finishing: readonly ControllerName[] = ['namespace-controller', 'garbage-collector-controller', 'clusterrole-aggregation-controller'];

/**
 * The account `default` of a namespace is there for the admission plugin that gives it to pods. Whoever disables the plugin, as envtest
 * always does, expects new namespaces to be empty.
 */
export function originalControllers(flags: FlagValues): readonly ControllerName[] {
  return flags.list('disable-admission-plugins').includes('ServiceAccount') ? finishing : [...finishing, 'serviceaccount-controller'];
}
