/** `npm run new -- authority <name>`: a rule that says whose value wins when systems disagree. */
import type { Names, Scaffold } from "./scaffold.ts";

export function authorityScaffold({ snake, title }: Names): Scaffold {
  const name = snake.toUpperCase();
  return {
    files: {},
    lines: [
      {
        file: "packages/contracts/src/messages/en/sync/configure.ts",
        after: /^ {4}authority[A-Z_]+: /,
        line: `    authority${name}: "${title}",`,
      },
    ],
    edits: [
      {
        file: "packages/contracts/src/sync/matching.ts",
        find: /(AUTHORITIES = \[.*"\w+")\]/,
        by: `$1, "${name}"]`,
      },
    ],
    places: [
      "packages/sync-engine/src/run/merge/authority/authority.ts",
      "packages/sync-engine/src/run/merge/merge.golden.test.ts",
    ],
    next: [
      "Write what it decides in run/merge/authority/authority.ts, and its settings in merge.golden.test.ts.",
      "npm run golden -- --update prints its answer to each situation into run/merge/merge.golden.md: read them.",
      "Let the simulation draw it (simulation/scenario), with an invariant of its own if it promises something new.",
      "npm test -- packages/sync-engine && npm run sim -- --seeds 2000",
    ],
  };
}
