/** The tables of an instance that questions have asked for, and whether there are copies that may answer. */
import type { MirrorColumn } from "@accord/analytics-engine";
import { OWN_COLUMNS } from "./cells.ts";
import type { TableCopy } from "./copy-table.ts";
import type { CopyProblem, MirroredTable, MirrorQuestion } from "./protocol.ts";
import { RefusedError } from "./refusals.ts";

export interface WantedTable {
  name: string;
  /** What questions have read so far. */
  wanted: Map<string, MirrorColumn>;
  copy: TableCopy | null;
  state: Exclude<MirroredTable["state"], "behind">;
  /** Into the copy that is being made. */
  copied: number;
  isBuilding: boolean;
  failures: number;
  problem: CopyProblem | null;
  retryAt: number;
  /** When the copy had all that was committed. */
  freshAt: number;
  /** When the last copy was made, and how many before it were of no use soon after they were made. */
  madeAt: number;
  shortLived: number;
}

export class WantedTables {
  readonly #tables = new Map<string, WantedTable>();

  all(): WantedTable[] {
    return [...this.#tables.values()];
  }

  /** The tables of a question. */
  want({ reads, ages }: MirrorQuestion): WantedTable[] {
    const names = [...new Set([...reads.map(({ table }) => table), ...ages])];
    return names.map((name) => this.#want(name, reads.find(({ table }) => table === name)?.columns ?? []));
  }

  #want(name: string, columns: readonly MirrorColumn[]): WantedTable {
    const table: WantedTable = this.#tables.get(name) ?? {
      ...{ name, wanted: new Map(OWN_COLUMNS.map((column) => [column.name, column])), copy: null },
      ...{ state: "building", copied: 0, isBuilding: false, failures: 0, retryAt: 0 },
      ...{ problem: null, freshAt: 0, madeAt: 0, shortLived: 0 },
    };
    this.#tables.set(name, table);
    for (const column of columns) {
      const known = table.wanted.get(column.name);
      table.wanted.set(column.name, { ...column, isFolded: column.isFolded || (known?.isFolded ?? false) });
    }
    return table;
  }

  /** Throws where a copy is missing, or may not answer. */
  demandCopies({ reads }: MirrorQuestion, tables: readonly WantedTable[]): void {
    if (tables.some(({ state }) => state === "disk_limit")) throw new RefusedError("disk_limit");
    if (tables.some(({ copy }) => copy === null)) throw new RefusedError("building");
    for (const { table, columns } of reads) {
      const copy = this.#tables.get(table)?.copy;
      if (!copy || columns.some(({ name, isFolded }) => !hasColumn(copy, name, isFolded)))
        throw new RefusedError("building");
      if (columns.some(({ name }) => copy.unfit.has(name))) throw new RefusedError("column_unfit");
    }
  }
}

/** As the server gets it. */
export function describeTable(
  schema: string,
  table: WantedTable,
  at: { now: number; isBehind: boolean },
): MirroredTable {
  const { name, copy, state, copied, problem, freshAt } = table;
  return {
    ...{ schema, table: name, records: copy ? copy.records : copied, problem },
    state: at.isBehind && state === "ready" ? "behind" : state,
    unfit: copy ? [...copy.unfit].toSorted() : [],
    freshForMs: copy ? at.now - freshAt : null,
  };
}

/** Without a copy, or with one that lacks a column. */
export const isIncomplete = ({ copy, wanted }: WantedTable): boolean =>
  copy === null || [...wanted.values()].some(({ name, isFolded }) => !hasColumn(copy, name, isFolded));

const hasColumn = (copy: TableCopy | null, name: string, isFolded: boolean): boolean =>
  copy !== null && (copy.unfit.has(name) || copy.columnNames.has(isFolded ? `${name} folded` : name));
