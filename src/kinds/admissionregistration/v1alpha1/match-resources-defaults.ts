import { defaultMatchResources, defaultRule } from '#kinds/admissionregistration/v1/admission-defaults.ts';
import { MatchResources, NamedRuleWithOperations } from '#kinds/admissionregistration/v1alpha1/match-resources.ts';
import { type Defaults, defaultsOf } from '#schema/defaults.ts';

/** For policies and for their bindings. */
export const matchResourcesDefaults: Defaults = [defaultsOf(MatchResources, defaultMatchResources), defaultsOf(NamedRuleWithOperations, defaultRule)];
