// What of a claim's devices is written into its allocation, and what its constraints compare.
import type { ClaimWorld, StoredResourceClaim } from '#scheduler/claims/claim-world.ts';
import type { ExactDeviceRequest } from '#kinds/resource/v1/resource-claim-spec.ts';
import type { DeviceAllocationConfiguration } from '#kinds/resource/v1/resource-claim.ts';
import type { Device } from '#kinds/resource/v1/resource-slice.ts';

/** A request, or one of the alternatives of a request, as it is worked off. */
export interface Wish {
  /** `request` or `request/alternative`. */
  readonly name: string;
  readonly request: string;
  readonly asked: ExactDeviceRequest;
}

/** As text, so that attributes of different types are different; undefined: the device has none of that name. */
export function attributeOf({ attributes = {} }: Device, driver: string, name: string): string | undefined {
  const cut = name.indexOf('/');
  const own = name.slice(0, cut) === driver ? attributes[name.slice(cut + 1)] : undefined;
  const attribute = attributes[name] ?? own;
  return attribute === undefined ? undefined : JSON.stringify(attribute);
}

/** What drivers are told: first what the classes say, then what the claim says, as far as it is about requests that were met. */
export function claimConfig(world: ClaimWorld, { spec }: StoredResourceClaim, wishes: readonly Wish[]): readonly DeviceAllocationConfiguration[] {
  const met = new Map(wishes.map((wish) => [wish.name, wish]));
  const byClass = new Map<string, string[]>();
  for (const { name, asked } of met.values()) byClass.set(asked.deviceClassName ?? '', [...(byClass.get(asked.deviceClassName ?? '') ?? []), name]);
  const ofClasses = [...byClass].flatMap(([className, requests]) =>
    (world.deviceClass(className)?.spec?.config ?? []).map((config) => ({ ...config, source: 'FromClass', requests })),
  );
  const isMet = (requests: readonly string[]) =>
    requests.length === 0 || [...met.values()].some(({ name, request }) => requests.includes(name) || requests.includes(request));
  const ofClaim = (spec?.devices?.config ?? []).flatMap((config) => (isMet(config.requests ?? []) ? [{ ...config, source: 'FromClaim' }] : []));
  return [...ofClasses, ...ofClaim] as readonly DeviceAllocationConfiguration[];
}
