/** Pieces of SQL that carry their values apart from their text, so that no value ever becomes SQL. */

/** Text around values: `strings` has one item more than `params`, as in a tagged template. */
export interface SqlFragment {
  readonly strings: readonly string[];
  readonly params: readonly unknown[];
}

/** A value that keeps one number wherever it stands: expressions that PostgreSQL has to find equal may hold it. */
export class SharedParameter {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

const isFragment = (part: unknown): part is SqlFragment =>
  typeof part === "object" && part !== null && "strings" in part && "params" in part;

/**
 * Builds a fragment: nested fragments are joined in, everything else becomes a bind parameter.
 * `sql\`${column("t", "age")} > ${18}\`` → `"t"."age" > $1`, [18].
 */
export function sql(template: TemplateStringsArray, ...values: unknown[]): SqlFragment {
  const strings: string[] = [];
  const params: unknown[] = [];
  let open = template[0]!;
  const add = (param: unknown, after: string): void => {
    strings.push(open);
    params.push(param);
    open = after;
  };
  values.forEach((value, index) => {
    const after = template[index + 1]!;
    if (isFragment(value)) {
      open += value.strings[0]!;
      value.params.forEach((param, at) => add(param, value.strings[at + 1]!));
      open += after;
    } else add(value, after);
  });
  return { strings: [...strings, open], params };
}

/** Fixed text written in our own source; never text that came from outside. */
export const fixedSql = (text: string): SqlFragment => ({ strings: [text], params: [] });

/** A quoted name. The only way a name that exists at run time alone (a field, a table) enters SQL. */
export function identifier(name: string): SqlFragment {
  if (name === "" || name.includes("\0")) throw new Error("an SQL name may be neither empty nor hold a NUL character");
  return fixedSql(`"${name.replaceAll('"', '""')}"`);
}

/** `"alias"."name"`. */
export const column = (alias: string, name: string): SqlFragment => sql`${identifier(alias)}.${identifier(name)}`;

/** Joins fragments with fixed text between them; `empty` when there are none. */
export function joinSql(parts: readonly SqlFragment[], separator: string, empty = ""): SqlFragment {
  if (parts.length === 0) return fixedSql(empty);
  const strings: string[] = [];
  const params: unknown[] = [];
  let open = "";
  for (const [index, part] of parts.entries()) {
    const [first = "", ...rest] = part.strings;
    open += (index === 0 ? "" : separator) + first;
    part.params.forEach((param, at) => {
      strings.push(open);
      params.push(param);
      open = rest[at] ?? "";
    });
  }
  return { strings: [...strings, open], params };
}

/** What a statement may have: parts that stand in it twice double with each level that they are nested in. */
export const MAX_SQL_LENGTH = 200_000;
/** PostgreSQL counts them with two bytes. */
export const MAX_SQL_PARAMETERS = 30_000;

export class SqlTooLongError extends Error {
  override readonly name = "SqlTooLongError";
}

/** The fragment itself. Throws `SqlTooLongError`. */
export function assertSqlSize(fragment: SqlFragment): SqlFragment {
  let length = 0;
  for (const text of fragment.strings) length += text.length;
  if (length > MAX_SQL_LENGTH || fragment.params.length > MAX_SQL_PARAMETERS)
    throw new SqlTooLongError(`the statement has ${length} characters and ${fragment.params.length} parameters`);
  return fragment;
}

/** Text with numbered parameters for a driver; `first` is the number of the first one, for use inside a longer text. */
export function printSql(fragment: SqlFragment, first = 1): { text: string; params: unknown[] } {
  let text = fragment.strings[0]!;
  const params: unknown[] = [];
  const shared = new Map<SharedParameter, number>();
  fragment.params.forEach((param, index) => {
    const known = param instanceof SharedParameter ? shared.get(param) : undefined;
    const number = known ?? first + params.length;
    if (known === undefined) params.push(param instanceof SharedParameter ? param.value : param);
    if (param instanceof SharedParameter) shared.set(param, number);
    text += `$${number}${fragment.strings[index + 1]}`;
  });
  return { text, params };
}

/** The text with each value handed to the caller's own binder, which answers its placeholder: `$7`. */
export function bindSql(fragment: SqlFragment, bind: (value: unknown) => string): string {
  let text = fragment.strings[0]!;
  fragment.params.forEach((param, index) => {
    text += bind(param instanceof SharedParameter ? param.value : param) + fragment.strings[index + 1]!;
  });
  return text;
}
