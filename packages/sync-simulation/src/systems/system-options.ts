/** The options of one system of a scenario. */
import type { FakeSystem } from "./fake-system.ts";
import { PLAIN_SYSTEM, type SystemOptions } from "./plain-system.ts";
import type { ReaderFaults } from "./row-passes.ts";
import type { Scenario } from "../scenario/scenario.ts";
import { goesBack } from "./system-clock.ts";

export function systemOptions(
  { skews, reading, types, texts, hasNumberedLists }: Scenario,
  index: number,
  readerFaults: ReaderFaults = {},
): SystemOptions {
  const clock = reading?.clocks[index] ?? { offsetMs: skews[index] ?? 0, jumps: [] };
  return {
    ...PLAIN_SYSTEM,
    clock,
    readerFaults,
    reading: reading?.kinds[index] ?? (hasNumberedLists[index] ? "numbered" : "feed"),
    isCurrent: reading?.areCurrent[index] === true,
    types,
    style: index,
    rewriting: texts?.kinds[index] ?? null,
  };
}

/** Systems show the present state at once, or their clocks may be put back only where no time of change is told. */
export function fitTraits(
  systems: readonly FakeSystem[],
  { reading, skews, outages, types, hasNumberedLists, answers, listingLags }: Scenario,
): void {
  for (const [index, { traits }] of systems.entries()) {
    // Many seams for few rows.
    if (hasNumberedLists[index]) traits.pageSize = Math.min(traits.pageSize, 2);
    // What a system refuses for good needs a person; nobody is there.
    if (outages.length > 0) traits.refuses = null;
    // A value in another spelling is one of its own for whoever reads it.
    if (types?.isFirstLoad) traits.respells = false;
    const clock = reading?.clocks[index];
    if (reading?.areCurrent[index]) Object.assign(traits, { lagMs: 0, hidesNew: false, repeatsItself: false });
    else if (clock && goesBack(clock)) {
      Object.assign(traits, { reportsModifiedAt: false, lagMs: 0, hidesNew: false, repeatsItself: false });
    }
    // Shown late, or by a clock that is ahead, an earlier state is just what somebody's entering it again looks like,
    // unless the answer named the time of the write.
    const isRight = clock
      ? clock.offsetMs <= 0 && clock.jumps.every(({ byMs }) => byMs <= 0)
      : (skews[index] ?? 0) <= 0;
    const isLate = traits.lagMs > 0 && traits.reportsModifiedAt;
    traits.answers = isRight && !isLate ? (answers[index] ?? null) : null;
    const lagMs = listingLags[index] ?? 0;
    // Without times of change, an earlier state is known only in lists that bring all rows again and again.
    if (lagMs > 0 && reading?.kinds[index] === "listing" && !reading.areCurrent[index])
      Object.assign(traits, { reportsModifiedAt: false, lagMs, hidesNew: lagMs % 2 === 1, repeatsItself: false });
  }
}
