// Rules that are kept but asked nobody yet: whoever writes one hears that it protects nothing, each time, and the log says it too.
// What enforces webhooks and policies takes its resources out of this list; with the last one the file goes.
import type { AdmissionPlugin, AdmissionScope } from '#admission/admission.ts';
import type { Log } from '#base/log.ts';

const group = 'admissionregistration.k8s.io';
const notEnforcedResources: ReadonlySet<string> = new Set([
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
]);

export function notEnforced(log: Log): AdmissionPlugin {
  return {
    name: 'NotEnforced',
    matches: ({ operation, definition, subresource }: AdmissionScope) =>
      subresource === '' && definition.group === group && notEnforcedResources.has(definition.plural) && (operation === 'CREATE' || operation === 'UPDATE'),
    validate({ definition, object, dryRun, warn, onOutcome }) {
      warn(`${definition.plural}.${group} are stored but not enforced by this server: no request is refused or changed by them`);
      const told = { resource: definition.plural, name: object?.metadata.name };
      if (dryRun) return;
      onOutcome?.((committed) => {
        if (committed) log.warn('stored, but not enforced by this server', told);
      });
    },
  };
}
