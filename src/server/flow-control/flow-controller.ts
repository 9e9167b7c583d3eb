// Which level a request belongs to, and how the levels share the server: kept in step with the stored objects.
import type { KubernetesObject } from '#api/object.ts';
import type { RequestInfo } from '#api/request-info.ts';
import type { User } from '#api/user.ts';
import { allotSeats, boundsOf, type Bounds } from '#server/flow-control/allot-seats.ts';
import { flowSchemaSpec, type FlowSchemaSpec, priorityLevelSpec, type PriorityLevelSpec } from '#server/flow-control/flow-objects.ts';
import { type FlowMatch, matchFlowSchema } from '#server/flow-control/match-flow-schema.ts';
import { type LevelServices, PriorityLevel } from '#server/flow-control/priority-level.ts';

export interface FlowControllerOptions extends LevelServices {
  /** Seats of the whole server. */
  readonly seats: number;
}

interface Schema {
  readonly name: string;
  readonly uid: string;
  readonly spec: FlowSchemaSpec;
  readonly match: FlowMatch;
}

export interface Place {
  readonly level: PriorityLevel;
  readonly schema: string;
  readonly schemaUid: string;
  readonly flow: string;
}

/** Half of what a level wants now is forgotten in about five minutes. */
const smoothing = 0.977;

export class FlowController {
  readonly #options: FlowControllerOptions;
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #specs = new Map<string, PriorityLevelSpec>();
  readonly #schemas = new Map<string, Schema>();
  #ordered: readonly Schema[] = [];
  #bounds: ReadonlyMap<string, Bounds> = new Map();

  /** Until the stored objects are known, masters are exempt and everybody else shares one level. */
  constructor(options: FlowControllerOptions) {
    this.#options = options;
    for (const object of builtin.levels) this.putLevel(object);
    for (const object of builtin.schemas) this.putSchema(object);
  }

  putLevel(object: KubernetesObject): void {
    const { name = '', uid = '' } = object.metadata;
    const level = this.#levels.get(name) ?? new PriorityLevel(name, this.#options);
    this.#levels.set(name, level);
    this.#specs.set(name, priorityLevelSpec(object));
    level.configure(uid, priorityLevelSpec(object));
    this.#share();
  }

  dropLevel({ metadata: { name = '' } }: KubernetesObject): void {
    if (name === 'exempt' || name === 'catch-all') return;
    this.#levels.get(name)?.retire();
    this.#levels.delete(name);
    this.#specs.delete(name);
    this.#share();
  }

  putSchema(object: KubernetesObject): void {
    const { name = '', uid = '' } = object.metadata;
    const spec = flowSchemaSpec(object);
    this.#schemas.set(name, { name, uid, spec, match: matchFlowSchema(spec) });
    this.#order();
  }

  dropSchema({ metadata: { name = '' } }: KubernetesObject): void {
    if (name === 'exempt' || name === 'catch-all') return;
    this.#schemas.delete(name);
    this.#order();
  }

  get levels(): Iterable<PriorityLevel> {
    return this.#levels.values();
  }

  hasLevel(name: string): boolean {
    return this.#levels.has(name);
  }

  /** The first schema that matches and whose level exists. */
  placeOf(user: User, info: RequestInfo): Place {
    for (const schema of this.#ordered) {
      const level = this.#levels.get(schema.spec.priorityLevelConfiguration.name);
      if (level !== undefined && schema.match(user, info)) return placeIn(level, schema, user, info);
    }
    throw new Error('no flow schema matches, not even catch-all');
  }

  /** Every ten seconds: levels that want more borrow from levels that want less. */
  reallot(): void {
    const now = this.#options.clock.now().getTime();
    const claims = new Map([...this.#levels].filter(([, { exempt }]) => !exempt).map(([name, level]) => [name, this.#claim(name, level, now)]));
    for (const [name, seats] of allotSeats(claims, this.#options.seats)) this.#levels.get(name)?.setLimit(seats);
  }

  #claim(name: string, level: PriorityLevel, now: number) {
    level.lastDemand = level.demand.finishPeriod(now);
    const { highest, average, deviation } = level.lastDemand;
    const envelope = average + deviation;
    level.smoothedDemand = Math.max(envelope, smoothing * level.smoothedDemand + (1 - smoothing) * envelope);
    const bounds = this.#bounds.get(name) ?? { nominal: 1, lower: 1, upper: 1 };
    return { ...bounds, highest, smoothed: level.smoothedDemand };
  }

  #share(): void {
    this.#bounds = boundsOf(this.#specs, this.#options.seats);
    for (const [name, { nominal, lower, upper }] of this.#bounds) {
      const level = this.#levels.get(name);
      if (level === undefined) continue;
      level.nominal = nominal;
      level.lower = lower;
      level.upper = upper;
      level.setLimit(Math.max(1, nominal));
    }
  }

  #order(): void {
    const precedence = ({ spec }: Schema) => spec.matchingPrecedence ?? 1000;
    this.#ordered = [...this.#schemas.values()].sort((a, b) => precedence(a) - precedence(b) || (a.name < b.name ? -1 : 1));
  }
}

function placeIn(level: PriorityLevel, { name, uid, spec }: Schema, user: User, info: RequestInfo): Place {
  const by = spec.distinguisherMethod?.type;
  const distinguisher = by === 'ByUser' ? user.name : by === 'ByNamespace' ? info.namespace : '';
  return { level, schema: name, schemaUid: uid, flow: `${name}\u0000${distinguisher}` };
}

const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

function schemaFor(level: string, matchingPrecedence: number, groups: readonly string[]): KubernetesObject {
  const subjects = groups.map((name) => ({ kind: 'Group', group: { name } }));
  const spec = {
    priorityLevelConfiguration: { name: level },
    matchingPrecedence,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ subjects, ...everything }],
  };
  return { metadata: { name: level }, spec };
}

const builtin: { readonly levels: readonly KubernetesObject[]; readonly schemas: readonly KubernetesObject[] } = {
  levels: [
    { metadata: { name: 'exempt' }, spec: { type: 'Exempt', exempt: {} } },
    { metadata: { name: 'catch-all' }, spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } } },
  ],
  schemas: [schemaFor('exempt', 1, ['system:masters']), schemaFor('catch-all', 10_000, ['*'])],
};
