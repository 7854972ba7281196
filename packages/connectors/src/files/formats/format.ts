/** A format of files: which names have it, which tables are in one, and its rows from any place on. */
import type { FileSettings } from "@accord/contracts/connections/file-settings";
import type { Value } from "@accord/contracts/data/values";
import type { StoredFile } from "../places/place.ts";

/** Where a row begins. `offset` 0: before the first one; otherwise what the format makes of it. */
export interface RowPlace {
  offset: number;
  line: number;
}

export interface Row {
  line: number;
  /** Where the next row begins. */
  next: RowPlace;
  values: { [column: string]: Value };
  /** Why it can't be used; its values are then what could be made out. */
  problem?: string;
  /**
   * Its marks don't fit together, so that nobody can say which rows stand in it, or it is nested without end. It can't be used
   * then where files are read exactly (`problemOf`); others are read as ever.
   */
  damage?: string;
  excerpt?: string;
}

/** Why a row can't be used. */
export const problemOf = ({ problem, damage }: Row, { isExact }: { isExact: boolean }): string | undefined =>
  (isExact ? damage : undefined) ?? problem;

/** One table of one file. */
export interface FileSource {
  file: StoredFile;
  format: Format;
  /** Name of its sheet; null where the file itself is the table. */
  part: string | null;
}

export interface RowRequest {
  /** null: the first row. */
  from: RowPlace | null;
  /** Bytes of the file that count; it may be growing. */
  size: number;
  most: number;
  /** The row with which so many bytes of rows are reached is the last. */
  maxBytes?: number;
  /** Whoever reads page by page, and says when that is over (`Format.release`). */
  owner?: object;
  /** Called between two pieces of the file; what it throws ends the reading. */
  checkpoint?: Checkpoint;
}

/** Throws where nobody waits for the result any more. */
export type Checkpoint = () => void;

export interface RowPage {
  rows: Row[];
  /** There are no more. */
  finished: boolean;
  /** Names of the columns; null where rows name their own. */
  columns: string[] | null;
  /** What is wrong with the marks in the row of their names: rows may stand in it. */
  headerDamage?: string;
  /** What the rows take in memory, about. */
  bytes: number;
}

export interface Format {
  id: "csv" | "jsonl" | "xlsx";
  /** Of names, without the dot. */
  endings: readonly string[];
  /** Everything arrives as text: types are found out from it. */
  isText: boolean;
  /** Its programs print floating-point numbers with up to 17 digits, of which the last says nothing. */
  printsDoubles?: boolean;
  /** Rows are added at the end, so that a file that grew is read on from there. */
  isAppendedTo: boolean;
  /** Names of the tables in it, where a file is not one table itself. */
  parts?(file: StoredFile): Promise<readonly string[]>;
  read(source: FileSource, settings: FileSettings, request: RowRequest): Promise<RowPage>;
  /** Closes what was kept open for the owner's next page. */
  release?(owner: object): Promise<void>;
}

/** Bytes of rows read at once. */
export const MAX_PAGE_BYTES = 8_000_000;
