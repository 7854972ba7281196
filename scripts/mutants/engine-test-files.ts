/** Which tests judge a mutant of the engine or of its storage, beside simulated histories. */
import { globSync } from "node:fs";

const RUNS = "apps/server/src/modules/sync/runs";
const MATCHING = "apps/server/src/modules/sync/matching";

/** Whether simulated histories load the file. */
export const isPlayed = (file: string): boolean => file.startsWith("packages/");

/** Whether the commands of histories, given to PostgreSQL and to memory, may tell. */
export const isReplayed = (file: string): boolean => !file.startsWith("packages/sync-engine/src/run/");

/** Patterns of tests that need no PostgreSQL: run for each mutant that histories let live. */
export function UNIT_TESTS(file: string): readonly string[] {
  if (file.startsWith("packages/sync-engine/src/run/"))
    return ["packages/sync-engine/src/run/**/*.test.ts", "apps/server/src/modules/sync/**/!(*.int).test.ts"];
  return isPlayed(file) ? ["packages/sync-simulation/src/**/memory-*.test.ts"] : [`${RUNS}/**/!(*.int).test.ts`];
}

/** On real systems and PostgreSQL, by what a file's name begins with. The first that fits counts. */
const INTEGRATION_TESTS: readonly (readonly [names: RegExp, tests: readonly string[]])[] = [
  [/^memory-/, []],
  [/^lease-guard/, [`${RUNS}/**/page-commits.store.int.test.ts`, `${RUNS}/**/lease.oversleep.int.test.ts`]],
  [/^conflict-writes/, [`${RUNS}/**/page-commits.store.int.test.ts`, `${MATCHING}/authority.int.test.ts`]],
  [
    /^work-listener/,
    [
      `${RUNS}/**/work-listener.store.int.test.ts`,
      `${RUNS}/**/worker.int.test.ts`,
      `${RUNS}/**/change-notifications.int.test.ts`,
    ],
  ],
  [/^table-statistics/, [`${RUNS}/**/table-statistics.store.int.test.ts`]],
  [
    /^(schedule|cycle-|lease-|pipeline-rows|resync|fence-run|work-listener|delete-pipeline-data|entity-number)/,
    [
      `${RUNS}/**/schedule.store.int.test.ts`,
      `${RUNS}/**/finished-cycles.store.int.test.ts`,
      `${RUNS}/**/woken-workers.store.int.test.ts`,
      `${RUNS}/**/worker.int.test.ts`,
      `${RUNS}/**/schedule.int.test.ts`,
      `${RUNS}/**/runs.int.test.ts`,
      `${RUNS}/**/resync*.int.test.ts`,
      `${RUNS}/**/patience.int.test.ts`,
      `${RUNS}/**/staged-pages.int.test.ts`,
      `${RUNS}/**/change-notifications.int.test.ts`,
    ],
  ],
  [
    /^quarantine/,
    [
      `${RUNS}/**/page-commits.store.int.test.ts`,
      `${RUNS}/**/history.store.int.test.ts`,
      `${RUNS}/**/quarantine.int.test.ts`,
      `${RUNS}/**/unfit-values.int.test.ts`,
      `${RUNS}/**/bad-lines.int.test.ts`,
      `${RUNS}/**/sync.faults.int.test.ts`,
    ],
  ],
  [/^prepare/, [`${RUNS}/**/storage.int.test.ts`, `${RUNS}/**/runs.int.test.ts`]],
  [/^explain\.store/, [`${RUNS}/**/history.store.int.test.ts`, `${RUNS}/**/explain.int.test.ts`]],
  [/^(explain|field-verdicts|trace)/, [`${RUNS}/**/explain.int.test.ts`]],
  [
    /^(deletion-detection|unlinked)/,
    [
      `${RUNS}/**/deletion-detection.store.int.test.ts`,
      `${RUNS}/**/deletion-detection.int.test.ts`,
      `${RUNS}/**/storage.int.test.ts`,
    ],
  ],
  [
    /^(merge-storage|user-merges|repoint)/,
    [`${RUNS}/**/merges.store.int.test.ts`, `${RUNS}/**/page-resolve.store.int.test.ts`, `${MATCHING}/*.int.test.ts`],
  ],
  [/^(merge|deduplicate|candidate|match-)/, [`${MATCHING}/*.int.test.ts`]],
  [
    /^(reference-updates|pending-references)/,
    [
      `${RUNS}/**/page-resolve.store.int.test.ts`,
      `${RUNS}/**/page-commits.store.int.test.ts`,
      `${MATCHING}/references.int.test.ts`,
      `${MATCHING}/propagation.int.test.ts`,
    ],
  ],
  [
    /^(user-edits|current-record)/,
    [
      `${RUNS}/**/user-edits.store.int.test.ts`,
      `${MATCHING}/propagation.int.test.ts`,
      `${MATCHING}/authority.int.test.ts`,
    ],
  ],
  [
    /^enqueue-deliveries/,
    [
      `${RUNS}/**/merges.store.int.test.ts`,
      `${RUNS}/**/page-commits.store.int.test.ts`,
      `${RUNS}/**/user-edits.store.int.test.ts`,
    ],
  ],
  [
    /^replication-slots/,
    [`${RUNS}/**/replication-slots.store.int.test.ts`, `${RUNS}/**/replicated-source.int.test.ts`],
  ],
  [/^unstorable-values/, [`${RUNS}/**/unstorable-values.int.test.ts`, `${RUNS}/**/unfit-values.int.test.ts`]],
  [/^seal-stored-values/, [`${RUNS}/**/seal-stored-values.store.int.test.ts`]],
  [/^(authority|conflict)/, [`${MATCHING}/authority.int.test.ts`]],
  [/^rate-budget/, ["apps/server/src/modules/connections/connectors/rate-limits/rate-limits.int.test.ts"]],
  [
    /^(runs\.store|sync-metrics)/,
    [
      `${RUNS}/**/metric-history.store.int.test.ts`,
      `${RUNS}/**/history.store.int.test.ts`,
      `${RUNS}/**/ledger.store.int.test.ts`,
      `${RUNS}/**/runs.int.test.ts`,
      `${RUNS}/**/explain.int.test.ts`,
      `${RUNS}/**/quarantine.int.test.ts`,
    ],
  ],
  [/^standing-problems/, [`${RUNS}/**/pipeline-health.int.test.ts`, `${RUNS}/**/bounded-counts.int.test.ts`]],
  [/^pipeline-log/, [`${RUNS}/**/pipeline-log.int.test.ts`]],
  [/^metric-history/, [`${RUNS}/**/metric-history.int.test.ts`]],
  [/^stored-state/, [`${RUNS}/**/explain.int.test.ts`, `${RUNS}/**/resync-preview.int.test.ts`]],
  [/^configuration-marks/, [`${RUNS}/**/plans.int.test.ts`]],
  [/^sanitize-records/, [`${RUNS}/**/unfit-values.int.test.ts`, `${RUNS}/**/huge-records.int.test.ts`]],
  [
    /^(retry|delivery-results|system-failures|write-outcome|sink-machine|problems)/,
    [`${RUNS}/**/sync.faults.int.test.ts`, `${RUNS}/**/patience.int.test.ts`, `${RUNS}/**/unfit-values.int.test.ts`],
  ],
  [
    /\.store\.ts$/,
    [
      `${RUNS}/**/deliveries.store.int.test.ts`,
      `${RUNS}/**/delivery-answers.store.int.test.ts`,
      `${RUNS}/**/page-resolve.store.int.test.ts`,
      `${RUNS}/**/page-commits.store.int.test.ts`,
      `${RUNS}/**/page-writes.store.int.test.ts`,
      `${RUNS}/**/storage.int.test.ts`,
      `${RUNS}/**/staged-pages.int.test.ts`,
      `${RUNS}/**/sync.faults.int.test.ts`,
      `${RUNS}/**/unfit-values.int.test.ts`,
    ],
  ],
  [
    /^/,
    [
      `${RUNS}/**/sync.faults.int.test.ts`,
      `${RUNS}/**/every-node.int.test.ts`,
      `${RUNS}/**/unfit-values.int.test.ts`,
      `${RUNS}/**/bad-lines.int.test.ts`,
    ],
  ],
];

/** Patterns of the tests on PostgreSQL that know most about a file: a store's own, which stands beside it, before others. */
export function testsOf(file: string): readonly string[] {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const own = name.endsWith(".store.ts") ? [file.replace(/\.ts$/, ".int.test.ts")] : [];
  return [...new Set([...own, ...(INTEGRATION_TESTS.find(([names]) => names.test(name))?.[1] ?? [])])];
}

/** The files that patterns name below `root`, each once: several patterns may name a store's own test. */
export const filesOf = (root: string, patterns: readonly string[]): string[] => [
  ...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: root }))),
];
