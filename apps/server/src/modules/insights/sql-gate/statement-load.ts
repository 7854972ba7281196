/** How heavy a statement is with the datasets that it reads; too heavy a one is refused where it names the heaviest. */
import { type Load, LOAD_LIMITS } from "@accord/analytics-engine";
import { SqlRefusal } from "./refusal.ts";
import type { TextRange } from "./text-places.ts";
import { weightOf } from "./weight.ts";

interface Read {
  /** In lower case, each with where it is first named. */
  tables: ReadonlyMap<string, TextRange>;
  /** After FROM and JOIN in the statement itself. */
  places: number;
  loads: ReadonlyMap<string, Load>;
  /** The first word of the statement. */
  first: TextRange;
}

/** `select`: the body of a SelectStmt. Throws `SqlRefusal`. */
export function loadOfStatement(select: unknown, { tables, places, loads, first }: Read): Load {
  if (weightOf(select, new Map()) > LOAD_LIMITS.columns) throw new SqlRefusal("too_heavy", {}, first);
  const weights = new Map([...loads].map(([name, { columns }]) => [name, columns]));
  const load = { columns: weightOf(select, weights), places: places + placesBelow(tables, loads) };
  const heaviest = (of: keyof Load): [string, TextRange] =>
    [...tables].toSorted(([one], [other]) => (loads.get(other)?.[of] ?? 0) - (loads.get(one)?.[of] ?? 0))[0] ?? [
      "",
      first,
    ];
  if (load.columns > LOAD_LIMITS.columns) {
    const [name, place] = heaviest("columns");
    throw new SqlRefusal("too_heavy_below", { name }, place);
  }
  if (load.places > LOAD_LIMITS.places) {
    const [name, place] = heaviest("places");
    throw new SqlRefusal("too_many_sources_below", { name, limit: String(LOAD_LIMITS.places) }, place);
  }
  return load;
}

/** Of datasets that are read several times the database makes their rows once. Tables of records are counted where they stand. */
function placesBelow(tables: ReadonlyMap<string, TextRange>, loads: ReadonlyMap<string, Load>): number {
  let sum = 0;
  for (const name of tables.keys()) sum += Math.max(0, (loads.get(name)?.places ?? 1) - 1);
  return sum;
}
