/**
 * Decides whether a statement may run, by its tree: only listed parts of the grammar, functions, types and operators, only
 * tables of the instance, without schemas. What it lets through still runs as a role that can read one instance alone, in
 * a transaction that can't write.
 */
import { type CheckedSql, type CheckSql, LOAD_LIMITS, type SqlNames } from "@accord/analytics-engine";
import { DATASET_LIMITS } from "@accord/contracts/insights/dataset-config";
import { type ArgumentProblem, charactersProblem, lengthProblem, valuesProblem } from "./argument-bounds.ts";
import { BOUNDED_SCHEMA, boundedCall } from "./bounded-calls.ts";
import { INSTEAD, sqlFunction, SYNTAX_FUNCTIONS } from "./functions.ts";
import { clauseName, CLAUSES, COLLATIONS, GRAMMAR, OPERATORS, type Shape, statementName, TYPES } from "./grammar.ts";
import { type Edit, type ParsedSql, parseSql, wordAfter } from "./parse.ts";
import { keepingChecks } from "./kept-checks.ts";
import { partsOf } from "./parts.ts";
import { datasetErrorOf, hintFor, type SqlProblemCode, SqlRefusal } from "./refusal.ts";
import { RowNames } from "./row-names.ts";
import { foldName, type TextRange } from "./text-places.ts";
import { isNode, namesIn, nodesOf, textOf, type TreeNode, unwrap } from "./tree.ts";
import { loadOfStatement } from "./statement-load.ts";

export const GATE_LIMITS = { sources: LOAD_LIMITS.places } as const;

export const checkSql: CheckSql = keepingChecks((text, names) => {
  try {
    return checkStatement(text, names);
  } catch (error) {
    if (error instanceof SqlRefusal) throw datasetErrorOf(error, text);
    throw error;
  }
});

/** Throws `SqlRefusal`. */
export function checkStatement(text: string, names: SqlNames): CheckedSql {
  const parsed = parseSql(text);
  const [type, body] = unwrap(parsed.root);
  const first = parsed.tokens[0] ?? { from: 0, to: text.length };
  if (type !== "SelectStmt") throw new SqlRefusal("not_select", { statement: statementName(type) }, first);
  const walk = new Walk(parsed, names);
  walk.statement(body);
  const load = loadOfStatement(body, {
    tables: walk.tables,
    places: walk.sources,
    loads: names.loads ?? new Map(),
    first,
  });
  return { parts: partsOf(text, parsed, walk), tables: [...walk.tables.keys()], load };
}

/** Names of WITH queries that stand before. */
type Names = ReadonlySet<string>;

class Walk {
  /** In lower case, each with where it is first named. */
  readonly tables = new Map<string, TextRange>();
  readonly edits: Edit[] = [];
  /** Where the variables stand that are handed on as rows. */
  readonly asRows = new Set<number>();
  readonly #parsed: ParsedSql;
  readonly #known: ReadonlySet<string>;
  readonly #variables: SqlNames["variables"];
  /** Places of variables that the tree has as parameters. */
  readonly #read = new Set<number>();
  readonly #rows = new RowNames();
  /** In UTF-16 units: of the node that is looked at, or of the nearest around it that has a place. */
  #at = 0;
  /** Tables and functions after FROM and JOIN. */
  sources = 0;

  constructor(parsed: ParsedSql, names: SqlNames) {
    this.#parsed = parsed;
    this.#known = new Set(names.tables.map(foldName));
    this.#variables = names.variables;
    for (const { name, from, to } of parsed.variables)
      if (!this.#variables.some(({ apiName }) => apiName === name))
        throw new SqlRefusal("variable_unknown", { name }, { from, to });
  }

  statement(body: TreeNode): void {
    this.#node("SelectStmt", body, new Set());
    const unread = this.#parsed.variables.find(({ from }) => !this.#read.has(from));
    if (unread) throw new SqlRefusal("variable_beside", { name: unread.name }, unread);
    const call = this.#rows.call();
    if (call) this.#refuse("row_function", { name: call.name, table: call.table }, call.at);
  }

  #refuse(code: SqlProblemCode, facts: Readonly<Record<string, string>> = {}, at = this.#at): never {
    throw new SqlRefusal(code, facts, this.#tokenAt(at));
  }

  #refuseIf(problem: ArgumentProblem | undefined): void {
    if (problem) this.#refuse(problem.code, problem.facts);
  }

  #tokenAt(at: number): TextRange {
    const { tokens } = this.#parsed;
    return tokens.find(({ from, to }) => from <= at && at < to) ?? tokens[0] ?? { from: 0, to: 1 };
  }

  #visit(node: unknown, names: Names): void {
    if (!isNode(node) || Object.keys(node).length === 0) return;
    const [type, body] = unwrap(node);
    this.#node(type, body, names);
  }

  #node(type: string, body: TreeNode, names: Names): void {
    const before = this.#at;
    const location = body["location"] ?? (type === "RangeVar" || type === "ColumnRef" ? 0 : -1);
    if (typeof location === "number" && location >= 0) this.#at = this.#parsed.toUnits(location);
    if (!Object.hasOwn(GRAMMAR, type)) this.#refuse("clause", { clause: CLAUSES[type] ?? clauseName(type) });
    const inner = type === "SelectStmt" ? this.#select(body, names) : names;
    this.#check(type, body, names);
    const shapes = GRAMMAR[type] ?? {};
    for (const [field, value] of Object.entries(body)) {
      const shape = Object.hasOwn(shapes, field) ? shapes[field] : undefined;
      if (shape === undefined)
        this.#refuse("clause", { clause: CLAUSES[`${type}.${field}`] ?? `${clauseName(type)} with ${field}` });
      if (field !== "withClause") this.#field(shape, value, inner);
    }
    this.#at = before;
  }

  #field(shape: Shape, value: unknown, names: Names): void {
    if (shape === "value") {
      if (typeof value === "object") this.#refuse("clause", { clause: "This" });
    } else if (shape === "node") this.#visit(value, names);
    else if (shape === "nodes") for (const one of nodesOf(value)) this.#visit(one, names);
    else if ("bare" in shape) this.#node(shape.bare, isNode(value) ? value : {}, names);
    else if (!shape.includes(textOf(value)))
      this.#refuse("clause", { clause: CLAUSES[textOf(value)] ?? `“${textOf(value)}”` });
  }

  /** Answers the names that its own parts see: a WITH query sees those before it, and never itself. */
  #select(body: TreeNode, names: Names): Names {
    if (body["intoClause"]) this.#refuse("into", {}, wordAfter(this.#parsed, /^into$/i, this.#at));
    if (body["lockingClause"]) this.#refuse("locks", {}, wordAfter(this.#parsed, /^for$/i, this.#at));
    const clause = body["withClause"];
    if (!isNode(clause)) return names;
    const location = clause["location"];
    if (typeof location === "number") this.#at = this.#parsed.toUnits(location);
    if (clause["recursive"]) this.#refuse("recursive");
    const seen = new Set(names);
    for (const one of nodesOf(clause["ctes"])) {
      const [type, query] = unwrap(one);
      this.#node(type, query, seen);
      seen.add(textOf(query["ctename"]));
    }
    return seen;
  }

  #check(type: string, body: TreeNode, names: Names): void {
    switch (type) {
      case "CommonTableExpr":
        return this.#withQuery(body);
      case "RangeVar":
        return this.#table(body, names);
      case "Alias":
        return this.#ownName(textOf(body["aliasname"]));
      case "ColumnRef": {
        const fields = nodesOf(body["fields"]);
        const [table = "", name = ""] = namesIn(fields);
        if (fields.length > 2) this.#refuse("schema", { name: table });
        if (fields.length === 2) this.#rows.column({ table, name, at: this.#at });
        return;
      }
      case "FuncCall":
        return this.#function(body);
      case "TypeName":
        return this.#type(body);
      case "A_Expr":
        this.#operator(namesIn(body["name"]));
        return this.#variableLists(body);
      case "SubLink":
        if (nodesOf(body["operName"]).length > 0) this.#operator(namesIn(body["operName"]));
        return;
      case "CollateClause": {
        const [name = "", ...more] = namesIn(body["collname"]);
        if (more.length > 0 || !COLLATIONS.has(name)) this.#refuse("clause", { clause: "A COLLATE of this name" });
        return;
      }
      case "ParamRef":
        if (!this.#parsed.variables.some(({ from }) => from === this.#at)) this.#refuse("parameter");
        this.#read.add(this.#at);
        return;
      case "RangeSubselect":
        return this.#source();
      case "RangeFunction":
        this.#source();
        return this.#rowsOf(body);
    }
  }

  #withQuery(body: TreeNode): void {
    const [type] = unwrap(body["ctequery"]);
    if (type !== "SelectStmt") {
      const statement = statementName(type);
      const word = new RegExp(`^${statement}$`, "i");
      this.#refuse("modifies", { statement }, wordAfter(this.#parsed, word, this.#at));
    }
    this.#ownName(textOf(body["ctename"]));
  }

  /** Names of the database's own tables begin so; nothing written may stand for one. */
  #ownName(name: string): void {
    if (name.startsWith("pg_")) this.#refuse("reserved_name", { name });
  }

  #table(body: TreeNode, names: Names): void {
    const name = textOf(body["relname"]);
    const schema = textOf(body["schemaname"]) || textOf(body["catalogname"]);
    if (schema) this.#refuse("schema", { name: schema });
    this.#source();
    if (names.has(name)) return;
    const known = foldName(name);
    if (known.startsWith("pg_") || !this.#known.has(known))
      this.#refuse("table_unknown", { name, hint: hintFor(known, this.#known) });
    if (!this.tables.has(known)) this.tables.set(known, this.#tokenAt(this.#at));
    if (this.tables.size > DATASET_LIMITS.sources)
      this.#refuse("too_many_tables", { limit: String(DATASET_LIMITS.sources) });
  }

  #source(): void {
    this.sources += 1;
    if (this.sources > GATE_LIMITS.sources) this.#refuse("too_many_sources", { limit: String(GATE_LIMITS.sources) });
  }

  /** A function as a source of rows. */
  #rowsOf(body: TreeNode): void {
    const [list, ...more] = nodesOf(body["functions"]);
    const [type, call] = unwrap(nodesOf(unwrap(list)[1]["items"])[0]);
    if (type !== "FuncCall" || more.length > 0) this.#refuse("function_source");
    const alias = isNode(body["alias"]) ? body["alias"] : {};
    const columns = namesIn(alias["colnames"]);
    const table = textOf(alias["aliasname"]) || (namesIn(call["funcname"]).at(-1) ?? "");
    this.#rows.source(table, columns.length > 0 ? columns : [table]);
  }

  #function(body: TreeNode): void {
    const path = namesIn(body["funcname"]);
    const name = path.at(-1) ?? "";
    if (path.length > 1 && !(path.length === 2 && path[0] === "pg_catalog" && SYNTAX_FUNCTIONS.has(name)))
      this.#refuse("schema", { name: path[0] ?? "" });
    if (body["func_variadic"]) this.#refuse("function_variadic");
    const args = nodesOf(body["args"]);
    this.#refuseIf(
      charactersProblem(name, args) ?? (sqlFunction(name)?.isBoundedAround ? valuesProblem(name, args) : undefined),
    );
    const known = sqlFunction(name);
    const instead = Object.hasOwn(INSTEAD, name) ? INSTEAD[name] : undefined;
    if (!known) this.#refuse("function", { name, hint: instead ? ` Use ${instead} instead.` : "" });
    const edits = boundedCall(known, this.#parsed.tokens, this.#at);
    if (!edits) this.#refuse("function", { name, hint: "" });
    this.edits.push(...edits);
  }

  #type(body: TreeNode): void {
    const path = namesIn(body["names"]);
    const name = path.at(-1) ?? "";
    if (path.length > 1 && !(path.length === 2 && path[0] === "pg_catalog"))
      this.#refuse("schema", { name: path[0] ?? "" });
    if (!TYPES.has(name)) this.#refuse("type", { name });
    this.#refuseIf(lengthProblem(name, body["typmods"]));
  }

  #operator(path: readonly string[]): void {
    const name = path.at(-1) ?? "";
    if (path.length !== 1 || !OPERATORS.has(name)) this.#refuse("operator", { name });
    if (name !== "||") return;
    const { from, to } = this.#tokenAt(this.#at);
    if (to - from !== name.length) this.#refuse("operator", { name });
    this.edits.push({ from, to, text: ` OPERATOR(${BOUNDED_SCHEMA}||) ` });
  }

  /** `column IN ({{list}})`: the list becomes rows. Among other values it could not. */
  #variableLists(body: TreeNode): void {
    if (body["kind"] !== "AEXPR_IN") return;
    const items = nodesOf(unwrap(body["rexpr"])[1]["items"]);
    for (const item of items) {
      const [type, { location }] = unwrap(item);
      if (type !== "ParamRef" || typeof location !== "number") continue;
      const at = this.#parsed.toUnits(location);
      const variable = this.#parsed.variables.find(({ from }) => from === at);
      if (!variable || !this.#variables.some(({ apiName, isList }) => apiName === variable.name && isList)) continue;
      if (items.length > 1) this.#refuse("variable_list_place", { name: variable.name }, at);
      this.asRows.add(at);
    }
  }
}
