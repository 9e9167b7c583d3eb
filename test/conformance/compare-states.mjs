// What two servers were left with after the same operations, by name: prints where they differ, and makes the process fail then.
export function compareStates(ours, theirs, show = false) {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].sort();
  const different = names.filter((name) => JSON.stringify(ours[name]) !== JSON.stringify(theirs[name]));
  for (const name of different) {
    console.error(`✘ ${name}`);
    for (const [who, state] of Object.entries({ ours, theirs })) console.error(`  ${who}: ${JSON.stringify(state[name], undefined, show ? 2 : 0)}`);
  }
  console.log(`${names.length - different.length} passed, ${different.length} failed`);
  process.exitCode = different.length === 0 && names.length > 0 ? 0 : 1;
}
