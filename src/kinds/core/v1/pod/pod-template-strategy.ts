// How pod templates, as objects of their own, are written.
import { dropGatedFields } from '#kinds/core/v1/pod/pod-gated-fields.ts';
import type { PodTemplate } from '#kinds/core/v1/pod/pod-template.ts';
import { validatePodTemplate, validatePodTemplateUpdate } from '#kinds/core/v1/pod/pod-template-validation.ts';
import { podTemplateWarnings } from '#kinds/core/v1/pod/pod-warnings.ts';
import { containerNamesCell, imagesCell, labelsCell, nameColumn } from '#kinds/rules/cells.ts';
import { countGeneration, startGeneration } from '#kinds/rules/generation.ts';
import type { Column } from '#resource/column.ts';
import type { Strategy } from '#resource/strategy.ts';

export const podTemplateStrategy: Strategy<PodTemplate> = {
  prepareForCreate({ metadata, template }, { gate }) {
    startGeneration(metadata);
    dropGatedFields(template.spec, undefined, gate);
  },
  validate: validatePodTemplate,
  warnOnCreate: ({ template }) => podTemplateWarnings(template, 'template'),

  prepareForUpdate({ metadata, template }, old, { gate }) {
    dropGatedFields(template.spec, old.template.spec, gate);
    countGeneration(metadata, old.metadata, template, old.template);
  },
  validateUpdate: validatePodTemplateUpdate,
  warnOnUpdate: ({ metadata, template }, old) => (metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(template, 'template')),

  returnsDeleted: true,
};

export const podTemplateColumns: readonly Column<PodTemplate>[] = [
  nameColumn(),
  { name: 'Containers', type: 'string', read: ({ template }) => containerNamesCell(template.spec) },
  { name: 'Images', type: 'string', read: ({ template }) => imagesCell(template.spec) },
  { name: 'Pod Labels', type: 'string', read: ({ template }) => labelsCell(template.metadata.labels) },
];
