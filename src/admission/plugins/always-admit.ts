// Does nothing, as its name says; kept for command lines that name it.
import type { AdmissionPlugin } from '#admission/admission.ts';

export const alwaysAdmit: AdmissionPlugin = { name: 'AlwaysAdmit' };
