/** Invariant: what is kept out as an edit or an older write, nobody knows which, is no write that the engine can know. */
import type { Value } from "@accord/contracts/data/values";
import type { FinalState } from "./final-state.ts";
import { enteredValue } from "../systems/typed-values.ts";

function spelledAlike(value: Value): string {
  const text = String(value).trim().replaceAll(/\s+/g, " ").toLowerCase();
  return text === "" || Number.isNaN(Number(text)) ? text : String(Number(text));
}

/** Refusals as doubtful of what our own writes wrote, but for its spelling. */
export function unprovenRejections({
  systems,
  store,
  scenario,
}: Pick<FinalState, "systems" | "store" | "scenario">): string[] {
  const keyOf = (field: string, value: Value): string => spelledAlike(enteredValue(scenario.types, field, value));
  const written = new Set<string>();
  for (const { id, values } of systems.flatMap((system) => system.written))
    for (const field in values) written.add(`${id}|${field}|${keyOf(field, values[field] ?? null)}`);
  const broken: string[] = [];
  for (const { externalId, refused } of store.ledger) {
    for (const [field, [value, reason]] of Object.entries(refused ?? {})) {
      if (reason === "unconfirmed" && written.has(`${externalId}|${field}|${keyOf(field, value)}`))
        broken.push(`our own write of ${field} was taken for a doubtful edit`);
    }
  }
  return broken;
}
