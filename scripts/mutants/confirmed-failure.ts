/** Which test notices a mutant, judged again where it may have failed by itself: on a busy machine tests do. */

/** The first of these test files' tests that fails, after the name of its file; null when all pass. */
export type Attempt = (tests: readonly string[], isMutated: boolean) => Promise<string | null>;

/** `known`: files that passed without a mutant before. */
export async function confirmedFailure(
  attempt: Attempt,
  tests: readonly string[],
  known: Set<string>,
): Promise<string | null> {
  const failed = await attempt(tests, true);
  if (failed === null) return null;
  const file = tests.filter((name) => failed.startsWith(`${name.slice(name.lastIndexOf("/") + 1)} `));
  const suspects = file.length > 0 ? file : tests;
  if (await passUnchanged(attempt, suspects, known)) {
    const again = await attempt(suspects, true);
    if (again !== null) return again;
  }
  // A run ends with its first failure: where that proves nothing, the other files have yet to judge.
  const others = tests.filter((name) => !suspects.includes(name));
  return others.length > 0 ? confirmedFailure(attempt, others, known) : null;
}

/** At the second try at the latest. */
async function passUnchanged(attempt: Attempt, tests: readonly string[], known: Set<string>): Promise<boolean> {
  const name = tests.join(" ");
  for (let tries = 0; tries < 2 && !known.has(name); tries += 1)
    if ((await attempt(tests, false)) === null) known.add(name);
  return known.has(name);
}
