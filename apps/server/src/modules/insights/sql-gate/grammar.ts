/**
 * The parts of PostgreSQL's grammar that a statement may consist of, as libpg-query names them. Whatever is not listed, a
 * node or a field of one, is refused: what a new version of PostgreSQL adds is refused as well.
 */

/** `value`: a text or number; `node`: one wrapped by its type; `nodes`: a list of them; else the type of an unwrapped node, or what a text may be. */
export type Shape = "value" | "node" | "nodes" | { bare: string } | readonly string[];

const BARE_SELECT: Shape = { bare: "SelectStmt" };

export const GRAMMAR: Readonly<Record<string, Readonly<Record<string, Shape>>>> = {
  SelectStmt: {
    distinctClause: "nodes",
    targetList: "nodes",
    fromClause: "nodes",
    whereClause: "node",
    groupClause: "nodes",
    groupDistinct: "value",
    havingClause: "node",
    windowClause: "nodes",
    valuesLists: "nodes",
    sortClause: "nodes",
    limitOffset: "node",
    limitCount: "node",
    limitOption: "value",
    withClause: { bare: "WithClause" },
    op: "value",
    all: "value",
    larg: BARE_SELECT,
    rarg: BARE_SELECT,
  },
  WithClause: { ctes: "nodes", location: "value" },
  CommonTableExpr: {
    ctename: "value",
    aliascolnames: "nodes",
    ctematerialized: ["CTEMaterializeDefault", "CTEMaterializeAlways"],
    ctequery: "node",
    location: "value",
  },
  ResTarget: { name: "value", val: "node", location: "value" },
  ColumnRef: { fields: "nodes", location: "value" },
  A_Star: {},
  String: { sval: "value" },
  A_Const: {
    ival: { bare: "Number" },
    fval: { bare: "Number" },
    sval: { bare: "String" },
    boolval: { bare: "Number" },
    isnull: "value",
    location: "value",
  },
  /** `ival`, `fval`, `boolval` of a constant; zero and false are left out. */
  Number: { ival: "value", fval: "value", boolval: "value" },
  ParamRef: { number: "value", location: "value" },
  A_Expr: {
    kind: [
      ...["AEXPR_OP", "AEXPR_OP_ANY", "AEXPR_OP_ALL", "AEXPR_DISTINCT", "AEXPR_NOT_DISTINCT", "AEXPR_NULLIF"],
      ...["AEXPR_IN", "AEXPR_LIKE", "AEXPR_ILIKE", "AEXPR_SIMILAR", "AEXPR_BETWEEN", "AEXPR_NOT_BETWEEN"],
      ...["AEXPR_BETWEEN_SYM", "AEXPR_NOT_BETWEEN_SYM"],
    ],
    name: "nodes",
    lexpr: "node",
    rexpr: "node",
    rexpr_list_start: "value",
    rexpr_list_end: "value",
    location: "value",
  },
  BoolExpr: { boolop: "value", args: "nodes", location: "value" },
  NullTest: { arg: "node", nulltesttype: "value", argisrow: "value", location: "value" },
  BooleanTest: { arg: "node", booltesttype: "value", location: "value" },
  CaseExpr: { arg: "node", args: "nodes", defresult: "node", location: "value" },
  CaseWhen: { expr: "node", result: "node", location: "value" },
  CoalesceExpr: { args: "nodes", location: "value" },
  MinMaxExpr: { op: "value", args: "nodes", location: "value" },
  SubLink: {
    subLinkType: ["EXISTS_SUBLINK", "ANY_SUBLINK", "ALL_SUBLINK", "EXPR_SUBLINK"],
    testexpr: "node",
    operName: "nodes",
    subselect: "node",
    location: "value",
  },
  FuncCall: {
    funcname: "nodes",
    args: "nodes",
    agg_order: "nodes",
    agg_filter: "node",
    over: { bare: "WindowDef" },
    agg_within_group: "value",
    agg_star: "value",
    agg_distinct: "value",
    funcformat: "value",
    location: "value",
  },
  NamedArgExpr: { arg: "node", name: "value", argnumber: "value", location: "value" },
  WindowDef: {
    name: "value",
    refname: "value",
    partitionClause: "nodes",
    orderClause: "nodes",
    frameOptions: "value",
    startOffset: "node",
    endOffset: "node",
    location: "value",
  },
  SortBy: {
    node: "node",
    sortby_dir: ["SORTBY_DEFAULT", "SORTBY_ASC", "SORTBY_DESC"],
    sortby_nulls: "value",
    location: "value",
  },
  TypeCast: { arg: "node", typeName: { bare: "TypeName" }, location: "value" },
  TypeName: { names: "nodes", typmods: "nodes", typemod: "value", arrayBounds: "nodes", location: "value" },
  Integer: { ival: "value" },
  CollateClause: { arg: "node", collname: "nodes", location: "value" },
  A_ArrayExpr: { elements: "nodes", list_start: "value", list_end: "value", location: "value" },
  RowExpr: { args: "nodes", row_format: "value", location: "value" },
  List: { items: "nodes" },
  GroupingSet: { kind: "value", content: "nodes", location: "value" },
  GroupingFunc: { args: "nodes", location: "value" },
  SQLValueFunction: {
    op: [
      ...["SVFOP_CURRENT_DATE", "SVFOP_CURRENT_TIME", "SVFOP_CURRENT_TIME_N", "SVFOP_CURRENT_TIMESTAMP"],
      ...["SVFOP_CURRENT_TIMESTAMP_N", "SVFOP_LOCALTIME", "SVFOP_LOCALTIME_N", "SVFOP_LOCALTIMESTAMP"],
      "SVFOP_LOCALTIMESTAMP_N",
    ],
    typmod: "value",
    location: "value",
  },
  RangeVar: {
    relname: "value",
    inh: "value",
    relpersistence: ["p"],
    alias: { bare: "Alias" },
    location: "value",
  },
  RangeSubselect: { subquery: "node", alias: { bare: "Alias" } },
  RangeFunction: { lateral: "value", ordinality: "value", functions: "nodes", alias: { bare: "Alias" } },
  JoinExpr: {
    jointype: "value",
    isNatural: "value",
    larg: "node",
    rarg: "node",
    usingClause: "nodes",
    join_using_alias: { bare: "Alias" },
    quals: "node",
    alias: { bare: "Alias" },
    rtindex: "value",
  },
  Alias: { aliasname: "value", colnames: "nodes" },
};

/** What people call the parts that are refused: by node, or by node and field, or by a field's value. */
export const CLAUSES: Readonly<Record<string, string>> = {
  "ResTarget.indirection": "A subscript or field of a name",
  A_Indirection: "A subscript or field",
  RangeTableSample: "TABLESAMPLE",
  RangeTableFunc: "XMLTABLE",
  JsonTable: "JSON_TABLE",
  XmlExpr: "An XML expression",
  XmlSerialize: "XMLSERIALIZE",
  SetToDefault: "DEFAULT",
  CurrentOfExpr: "WHERE CURRENT OF",
  MergeSupportFunc: "MERGE_ACTION",
  "RangeSubselect.lateral": "LATERAL before a subquery",
  "RangeFunction.is_rowsfrom": "ROWS FROM",
  "RangeFunction.coldeflist": "A list of column definitions",
  "SortBy.useOp": "ORDER BY … USING",
  "TypeName.setof": "SETOF",
  "TypeName.pct_type": "%TYPE",
  "CommonTableExpr.search_clause": "SEARCH",
  "CommonTableExpr.cycle_clause": "CYCLE",
  CTEMaterializeNever: "NOT MATERIALIZED",
  ARRAY_SUBLINK: "ARRAY (SELECT …)",
  MULTIEXPR_SUBLINK: "A list of several columns",
  SVFOP_CURRENT_USER: "CURRENT_USER",
  SVFOP_CURRENT_ROLE: "CURRENT_ROLE",
  SVFOP_SESSION_USER: "SESSION_USER",
  SVFOP_USER: "USER",
  SVFOP_CURRENT_CATALOG: "CURRENT_CATALOG",
  SVFOP_CURRENT_SCHEMA: "CURRENT_SCHEMA",
};

/** As the grammar names them, and as people write them. */
export const TYPES: ReadonlySet<string> = new Set([
  ...["text", "varchar", "bpchar", "bool", "int2", "int4", "int8", "numeric", "float4", "float8"],
  ...["date", "time", "timestamp", "timestamptz", "interval", "jsonb", "uuid"],
]);

/** Orders of texts: by code point, and one for all languages. */
export const COLLATIONS: ReadonlySet<string> = new Set(["C", "und-x-icu"]);

export const OPERATORS: ReadonlySet<string> = new Set([
  ...["+", "-", "*", "/", "%", "^", "||", "=", "<>", "!=", "<", ">", "<=", ">="],
  ...["~", "~*", "!~", "!~*", "~~", "~~*", "!~~", "!~~*", "BETWEEN", "NOT BETWEEN"],
  ...["BETWEEN SYMMETRIC", "NOT BETWEEN SYMMETRIC", "->", "->>", "@>", "<@", "?", "?|", "?&"],
]);

/** Statements other than SELECT, as people call them. */
export const STATEMENTS: Readonly<Record<string, string>> = {
  InsertStmt: "INSERT",
  UpdateStmt: "UPDATE",
  DeleteStmt: "DELETE",
  MergeStmt: "MERGE",
  CopyStmt: "COPY",
  DoStmt: "DO",
  CallStmt: "CALL",
  VariableSetStmt: "SET or RESET",
  VariableShowStmt: "SHOW",
  ExplainStmt: "EXPLAIN",
  TransactionStmt: "BEGIN, COMMIT or ROLLBACK",
  TruncateStmt: "TRUNCATE",
  CreateTableAsStmt: "CREATE TABLE AS",
  NotifyStmt: "NOTIFY",
  ListenStmt: "LISTEN",
  PrepareStmt: "PREPARE",
  ExecuteStmt: "EXECUTE",
  GrantStmt: "GRANT or REVOKE",
  DropStmt: "DROP",
};

/** As people know it: `InsertStmt` is INSERT. */
export const statementName = (type: string): string =>
  STATEMENTS[type] ??
  type
    .replace(/Stmt$/, "")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toUpperCase();

/** As people know it: `RowExpr` is ROW EXPR. */
export const clauseName = (type: string): string =>
  type
    .replaceAll("_", " ")
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toUpperCase();
