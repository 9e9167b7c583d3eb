// One order of names out of several: names that follow each other in one of the lists do so in the result, and names that no list compares stand
// in alphabetical order, so that all servers show their groups alike.

/** Where the lists contradict each other, the order is alphabetical. */
export function mergedOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const followers = followersIn(lists);
  const whole = lists.find((list) => list.length === followers.size && new Set(list).size === list.length);
  return whole ?? sortedByFollowers(followers) ?? [...followers.keys()].sort();
}

/** Name → the names that stand right behind it in some list. */
function followersIn(lists: readonly (readonly string[])[]): ReadonlyMap<string, ReadonlySet<string>> {
  const followers = new Map<string, Set<string>>();
  for (const list of lists) {
    for (const [index, name] of list.entries()) {
      const known = followers.get(name) ?? new Set<string>();
      const next = list[index + 1];
      if (next !== undefined) known.add(next);
      followers.set(name, known);
    }
  }
  return followers;
}

/** Kahn's algorithm; undefined where the names go round in a circle. */
function sortedByFollowers(followers: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] | undefined {
  const before = new Map([...followers.keys()].map((name) => [name, 0]));
  for (const names of followers.values()) for (const name of names) before.set(name, (before.get(name) ?? 0) + 1);
  const ready = [...before].flatMap(([name, count]) => (count === 0 ? [name] : []));
  const sorted: string[] = [];
  while (ready.length > 0) {
    const [name = ''] = ready.sort().splice(0, 1);
    sorted.push(name);
    for (const follower of followers.get(name) ?? []) {
      const left = (before.get(follower) ?? 0) - 1;
      before.set(follower, left);
      if (left === 0) ready.push(follower);
    }
  }
  return sorted.length === followers.size ? sorted : undefined;
}
