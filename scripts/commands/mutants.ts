/**
 * `npm run mutants -- tenant`: takes away one tenant condition or one rule at a time and says which test noticed.
 * `--only TEXT`: mutants whose id holds the text; `--sample N`: N of them, spread evenly; `--list`: only names them;
 * `--thorough`: runs all tests for the listed equivalents as well; `--json`: for programs. Ends with 1 when one survived that is not listed among the equivalents.
 */
import { parseArgs } from "node:util";
import type { Mutant, MutantKind, MutantResult } from "../mutants/mutant.ts";
import { runMutants, staleEquivalents } from "../mutants/run-mutants.ts";
import { tenantMutants } from "../mutants/tenant.ts";
import { ROOT } from "../setup/root.mjs";

const KINDS: readonly MutantKind[] = [tenantMutants];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string" },
    sample: { type: "string" },
    list: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    thorough: { type: "boolean", default: false },
  },
});

function choose(mutants: readonly Mutant[]): Mutant[] {
  const { only } = values;
  const named = only === undefined ? mutants : mutants.filter(({ id }) => id.includes(only));
  const count = Math.min(named.length, Number(values.sample ?? named.length));
  return Array.from({ length: count }, (_, index) => named[Math.floor((index * named.length) / count)]!);
}

const lineOf = ({ mutant, verdict, caughtBy, reason, seconds }: MutantResult): string =>
  `${verdict.padEnd(10)} ${`${seconds} s`.padStart(7)}  ${mutant.id}  [${mutant.description}]  ${caughtBy ?? reason ?? ""}`;

async function run(kind: MutantKind): Promise<number> {
  const mutants = choose(kind.find(ROOT));
  if (values.list) {
    for (const { id, line, description } of mutants) console.log(`${id}  (line ${line}: ${description})`);
    console.log(`${mutants.length} mutants`);
    return 0;
  }
  const say = (line: string) => (values.json ? undefined : console.log(line));
  const results = await runMutants(kind, {
    root: ROOT,
    mutants,
    isThorough: values.thorough,
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
  say(`${counts.tried} tried: ${counts.caught} caught, ${counts.equivalent} equivalent, ${counts.survived} survived`);
  if (counts.listed > 0) say(`${counts.listed} caught although listed: take them out of ${kind.equivalents}`);
  if (stale.length > 0) say(`In ${kind.equivalents} but nowhere in the source:\n${stale.join("\n")}`);
  return counts.survived + counts.listed + stale.length > 0 ? 1 : 0;
}

const kind = KINDS.find(({ name }) => name === positionals[0]);
if (!kind) {
  console.error(`Say which mutants: ${KINDS.map(({ name }) => `npm run mutants -- ${name}`).join(", ")}`);
  process.exit(2);
}
process.exit(await run(kind));
