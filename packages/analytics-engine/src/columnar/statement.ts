/** A statement for a driver, and the same in two parts where a columnar engine may do the first. */
import type { Relation } from "../catalogue.ts";
import type { MirrorType } from "./can-mirror.ts";

export interface Statement {
  text: string;
  params: unknown[];
  /** What each of its columns holds, in their order. */
  cells: Cell[];
  /** The same in two parts; missing where only PostgreSQL is certain to answer it so. */
  columnar?: ColumnarPlan | null;
}

/** How a value of a column can be cut: as a text, as JSON, or not at all, since it is never large. */
export interface Cell {
  name: string;
  type: "text" | "json" | "plain";
}

/** A column of the records that a statement reads. */
export interface MirrorColumn {
  name: string;
  type: MirrorType;
  /** In small letters as well. */
  isFolded: boolean;
}

export interface MirrorRead {
  relation: Relation;
  columns: MirrorColumn[];
}

export interface ColumnarPlan {
  /** For DuckDB, on tables and columns named by `mirrorName`; all its values are texts. */
  text: string;
  params: string[];
  reads: MirrorRead[];
  /** PostgreSQL's part, with the columns of the groups as DuckDB gave them. */
  finish(columns: readonly (readonly (string | null)[])[]): Statement;
}
