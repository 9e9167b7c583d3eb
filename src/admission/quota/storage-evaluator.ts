import type { AdmissionRequest } from '#admission/admission.ts';
import { countName, nameMatches, one, type QuotaEvaluator, type ScopeRequirement } from '#admission/quota/evaluator.ts';
import type { Amounts, ResourceList } from '#admission/resource-list.ts';
import { storageClassOf } from '#admission/storage-class-of.ts';
import type { KubernetesObject } from '#api/object.ts';
import { compareQuantities, parseQuantity, type Quantity, roundUpQuantity } from '#base/quantity.ts';
import type { PersistentVolumeClaim } from '#kinds/core/v1/volume/persistent-volume-claim.ts';

type Claim = PersistentVolumeClaim & KubernetesObject;

const claims = { group: '', resource: 'persistentvolumeclaims' };
const perClass = '.storageclass.storage.k8s.io/';
const plain = ['persistentvolumeclaims', 'requests.storage'];

export const storageEvaluator: QuotaEvaluator = {
  resource: claims,
  handles,
  covers: (limit) => limit === countName(claims) || plain.some((name) => limit === name || limit.endsWith(perClass + name)),
  usage: (object) => usage(object as unknown as Claim),
  isInScope: (scope, object) => isInScope(scope, object as unknown as Claim),
};

/** The status matters where it holds more than was asked for, or another attribute class. */
function handles({ operation, subresource, object, old }: AdmissionRequest): boolean {
  if (subresource === '') return operation === 'CREATE' || operation === 'UPDATE';
  if (subresource !== 'status' || operation !== 'UPDATE') return false;
  const [now, before] = [object as unknown as Claim, old as unknown as Claim];
  return allocated(now) !== allocated(before) || [...attributeClasses(now)].join() !== [...attributeClasses(before)].join();
}

function allocated({ status }: Claim): string | undefined {
  return (status?.allocatedResources as ResourceList | undefined)?.['storage'];
}

function usage(claim: Claim): Amounts {
  const used: Amounts = new Map([
    ['persistentvolumeclaims', one],
    [countName(claims), one],
  ]);
  const storageClass = storageClassOf(claim);
  const size = sizeOf(claim);
  if (size) used.set('requests.storage', size);
  if (storageClass === '') return used;
  used.set(`${storageClass}${perClass}persistentvolumeclaims`, one);
  if (size) used.set(`${storageClass}${perClass}requests.storage`, size);
  return used;
}

/** A resize that was taken back still occupies what was allocated. */
function sizeOf(claim: Claim): Quantity | undefined {
  const asked = (claim.spec.resources.requests as ResourceList | undefined)?.['storage'];
  if (asked === undefined) return undefined;
  const [size, held] = [roundUpQuantity(parseQuantity(asked), 0), roundUpQuantity(parseQuantity(allocated(claim) ?? '0'), 0)];
  return compareQuantities(held, size) > 0 ? held : size;
}

function isInScope(scope: ScopeRequirement, claim: Claim): boolean {
  if (scope.scopeName !== 'VolumeAttributesClass') return false;
  const classes = [...attributeClasses(claim)];
  return classes.length === 0 ? nameMatches(scope, '') : classes.some((name) => nameMatches(scope, name));
}

function attributeClasses({ spec, status }: Claim): ReadonlySet<string> {
  const names = [spec.volumeAttributesClassName, status?.currentVolumeAttributesClassName, status?.modifyVolumeStatus?.targetVolumeAttributesClassName];
  return new Set(names.filter((name) => name !== undefined && name !== '') as string[]);
}
