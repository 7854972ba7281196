/** Values of records on their way from PostgreSQL to DuckDB: what is read, and which values DuckDB would keep exactly. */
import { foldedName, type MirrorColumn, mirrorName, type MirrorType, scaleName } from "@accord/analytics-engine";

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Columns of every copy, beside those that questions read. */
export const OWN_COLUMNS: readonly MirrorColumn[] = [
  { name: "accord_id", type: "text", isFolded: false },
  { name: "accord_deleted", type: "boolean", isFolded: false },
  { name: "accord_updated_at", type: "timestamp", isFolded: false },
];

/** Types that columns have in PostgreSQL. */
export const SOURCE_TYPES: Readonly<Record<MirrorType, string>> = {
  text: "text",
  bigint: "bigint",
  decimal: "numeric",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamp with time zone",
};

const DUCKDB_TYPES: Readonly<Record<MirrorType, string>> = {
  text: "VARCHAR",
  bigint: "BIGINT",
  decimal: "DECIMAL(18,6)",
  boolean: "BOOLEAN",
  date: "DATE",
  timestamp: "TIMESTAMP",
};

/** Longer texts are no groups that anybody shows, and would fill the mirror. */
const MAX_TEXT = 1_000;

/** Texts of values that are kept as they are, as PostgreSQL writes them: within the calendar and within DECIMAL(18,6). */
const FITS: Readonly<Record<MirrorType, (text: string) => boolean>> = {
  text: (text) => text.length <= MAX_TEXT,
  bigint: () => true,
  decimal: (text) => /^-?\d{1,12}(?:\.\d{1,6})?$/.test(text),
  boolean: () => true,
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text),
  timestamp: (text) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/.test(text),
};

/** One column of a table of DuckDB. */
interface Cell {
  ddl: string;
  /** From the texts that arrive. */
  cast: (staged: string) => string;
}

/** In PostgreSQL: each column, and after it the form in small letters where that is wanted. */
export const readColumns = (columns: readonly MirrorColumn[]): string =>
  columns
    .flatMap(({ name, isFolded }) => [
      quoted(name),
      ...(isFolded ? [`lower(${quoted(name)} COLLATE "und-x-icu")`] : []),
    ])
    .join(", ");

export const cellsOf = (columns: readonly MirrorColumn[]): Cell[] =>
  columns.flatMap(({ name, type, isFolded }) => {
    const own = {
      ddl: `${quoted(mirrorName(name))} ${DUCKDB_TYPES[type]}`,
      cast: (as: string) => `CAST(${as} AS ${DUCKDB_TYPES[type]})`,
    };
    return [
      own,
      ...(isFolded ? [{ ddl: `${quoted(foldedName(name))} VARCHAR`, cast: (as: string) => as }] : []),
      ...(type === "decimal"
        ? [{ ddl: `${quoted(scaleName(name))} UTINYINT`, cast: (as: string) => `CAST(${as} AS UTINYINT)` }]
        : []),
    ];
  });

/**
 * Rows as PostgreSQL writes them, as one list for each cell. Of columns with a value that does not fit nothing more is kept:
 * they are added to `unfit`.
 */
export function stage(
  columns: readonly MirrorColumn[],
  rows: readonly (readonly (string | null)[])[],
  unfit: Set<string>,
): (string | null)[][] {
  let index = 0;
  return columns.flatMap(({ name, type, isFolded }) => {
    const [at, foldedAt] = [index, index + 1];
    index += isFolded ? 2 : 1;
    const own: (string | null)[] = rows.map((row) => row[at] ?? null);
    if (!unfit.has(name) && own.some((text) => text !== null && !FITS[type](text))) unfit.add(name);
    const isUnfit = unfit.has(name);
    const none = (): null[] => rows.map(() => null);
    return [
      isUnfit ? none() : type === "timestamp" ? own.map((text) => text && text.slice(0, -"+00".length)) : own,
      ...(isFolded ? [isUnfit ? none() : rows.map((row) => row[foldedAt] ?? null)] : []),
      ...(type === "decimal" ? [isUnfit ? none() : own.map((text) => text && String(scaleOf(text)))] : []),
    ];
  });
}

function scaleOf(text: string): number {
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.length - point - 1;
}
