/**
 * `npm run mutants -- tenant`: takes away one tenant condition or one rule at a time and says which test noticed.
 * `npm run mutants -- engine`: builds one small fault at a time into the sync engine and its storage.
 * `--only TEXT`: mutants whose id holds the text; `--sample N`: N of them, the same ones each time; `--salt TEXT`: another
 * such sample; `--by-commit N`: N more that follow from the commit; `--quick`: gives up after what takes seconds; `--stored`: after
 * what PostgreSQL adds in some more; `--thorough`: runs all tests for the listed
 * equivalents of tenants as well; `--list`: only names them; `--json`: for programs. Ends with 1 when one survived that
 * is not listed with its reason, those of the commit's own sample excepted.
 */
import { parseArgs } from "node:util";
import { compiled } from "../mutants/compiled.ts";
import { engineMutants } from "../mutants/engine.ts";
import type { Mutant, MutantKind, MutantResult } from "../mutants/mutant.ts";
import { runMutants, staleEquivalents } from "../mutants/run-mutants.ts";
import { sample } from "../mutants/sample.ts";
import { tenantMutants } from "../mutants/tenant.ts";
import { commitHash } from "../setup/commit-hash.ts";
import { ROOT } from "../setup/root.mjs";

const KINDS: readonly MutantKind[] = [tenantMutants, engineMutants];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    sample: { type: "string" },
    salt: { type: "string", default: "" },
    "by-commit": { type: "string", default: "0" },
    quick: { type: "boolean", default: false },
    stored: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    thorough: { type: "boolean", default: false },
  },
});

/** `own`: of the commit's own sample; nobody had the time to deal with those that survive. */
interface Chosen {
  fixed: Mutant[];
  own: Mutant[];
}

function choose(kind: MutantKind): Chosen {
  const { only = "", quick } = values;
  const named = kind
    .find(ROOT)
    .filter((mutant) => mutant.id.includes(only) && (!quick || kind.isQuicklyJudged?.(mutant) !== false));
  if (values.sample === undefined) return { fixed: compiled(ROOT, named), own: [] };
  const fixed = sample(ROOT, named, Number(values.sample), values.salt);
  const others = named.filter((mutant) => !fixed.includes(mutant));
  return { fixed, own: sample(ROOT, others, Number(values["by-commit"]), commitHash()) };
}

const lineOf = ({ mutant, verdict, caughtBy, reason, seconds }: MutantResult): string =>
  `${verdict.padEnd(10)} ${`${seconds} s`.padStart(7)}  ${mutant.id}  [${mutant.description}]  ${caughtBy ?? reason ?? ""}`;

/** By file: what noticed its mutants. */
function tableOf(results: readonly MutantResult[]): Record<string, Record<string, number>> {
  const table: Record<string, Record<string, number>> = {};
  for (const { mutant, verdict, caughtBy } of results) {
    const row = (table[mutant.file] ??= { mutants: 0, histories: 0, tests: 0, equivalent: 0, survived: 0 });
    const how = caughtBy === null ? verdict : / > |before its tests/.test(caughtBy) ? "tests" : "histories";
    row["mutants"] = (row["mutants"] ?? 0) + 1;
    row[how] = (row[how] ?? 0) + 1;
  }
  return table;
}

async function run(kind: MutantKind): Promise<number> {
  const { fixed, own } = choose(kind);
  const mutants = [...fixed, ...own];
  if (values.list) {
    for (const { id, line, description } of mutants) console.log(`${id}  (line ${line}: ${description})`);
    console.log(`${mutants.length} mutants`);
    return 0;
  }
  const say = (line: string) => (values.json ? undefined : console.log(line));
  const effort = values.quick ? "quick" : values.stored ? "stored" : "whole";
  const results = await runMutants(kind, {
    root: ROOT,
    mutants,
    isThorough: values.thorough,
    effort,
    onResult: (result) => say(lineOf(result)),
  });
  const count = (verdict: MutantResult["verdict"]) => results.filter((result) => result.verdict === verdict).length;
  const stale = staleEquivalents(kind, ROOT);
  const counts = {
    tried: results.length,
    caught: count("caught"),
    equivalent: count("equivalent"),
    survived: count("survived"),
    listed: count("listed"),
  };
  if (values.json) console.log(JSON.stringify({ ...counts, stale, results }));
  else if (values.only === undefined) console.table(tableOf(results));
  say(`${counts.tried} tried: ${counts.caught} caught, ${counts.equivalent} equivalent, ${counts.survived} survived`);
  if (counts.listed > 0) say(`${counts.listed} caught although listed: take them out of ${kind.equivalents}`);
  if (stale.length > 0) say(`In ${kind.equivalents} but nowhere in the source:\n${stale.join("\n")}`);
  const demanded = results.filter(({ verdict, mutant }) => verdict === "survived" && !own.includes(mutant)).length;
  return demanded + counts.listed + stale.length > 0 ? 1 : 0;
}

const kind = KINDS.find(({ name }) => name === positionals[0]);
if (!kind) {
  console.error(`Say which mutants: ${KINDS.map(({ name }) => `npm run mutants -- ${name}`).join(", ")}`);
  process.exit(2);
}
process.exit(await run(kind));
