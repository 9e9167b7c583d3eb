import { Status } from '#kinds/meta/v1/status.ts';
import { type Infer, list, pointer, rawExtension, ref, required, rootStruct, string, struct } from '#schema/build.ts';

export const ConversionReview = rootStruct(
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ConversionReview',
  () => ({
    request: pointer(1, ref<ConversionRequest>(ConversionRequest)),
    response: pointer(2, ref<ConversionResponse>(ConversionResponse)),
  }),
  { unpublished: true },
);
export interface ConversionReview extends Infer<typeof ConversionReview> {}

export const ConversionRequest = struct(
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ConversionRequest',
  () => ({
    uid: required(1, string, { goType: 'types.UID' }),
    desiredAPIVersion: required(2, string),
    objects: required(3, list(rawExtension), { merge: 'atomic' }),
  }),
  { unpublished: true },
);
export interface ConversionRequest extends Infer<typeof ConversionRequest> {}

export const ConversionResponse = struct(
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ConversionResponse',
  () => ({
    uid: required(1, string, { goType: 'types.UID' }),
    convertedObjects: required(2, list(rawExtension), { merge: 'atomic' }),
    result: required(3, ref<Status>(Status)),
  }),
  { unpublished: true },
);
export interface ConversionResponse extends Infer<typeof ConversionResponse> {}
