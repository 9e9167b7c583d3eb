/** The texts of one Go package: by struct, then by field; the struct's own text has the empty name. */
export interface GroupTexts {
  /** What stands before the struct's name in OpenAPI: `io.k8s.api.core.v1`. */
  readonly package: string;
  /** Other packages whose structs of the same name mean the same. */
  readonly also?: readonly string[];
  readonly structs: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The fields that conditions of all kinds have. */
export const conditionFields = {
  type: 'What the condition is about; there is one entry per type.',
  status: 'True, False or Unknown.',
  observedGeneration: 'Generation of the object that the condition was computed from.',
  lastProbeTime: 'When the condition was last checked.',
  lastUpdateTime: 'When the condition was last written.',
  lastTransitionTime: 'When the status last changed.',
  reason: 'One word in CamelCase, for programs: why the condition is as it is.',
  message: 'The reason in a sentence, for people.',
} as const;

/** Some fields of conditions; not all kinds have the same. */
export function condition(text: string, ...more: readonly (keyof typeof conditionFields)[]): Record<string, string> {
  const { type, status, lastTransitionTime, reason, message } = conditionFields;
  return { '': text, type, status, lastTransitionTime, reason, message, ...Object.fromEntries(more.map((name) => [name, conditionFields[name]])) };
}

/** spec and status of most kinds. */
export const specAndStatus = {
  spec: 'What is wanted.',
  status: 'What is there, as last observed; written by the system.',
} as const;
