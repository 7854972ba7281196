/** Words of datasets written in SQL: why a statement may not run, and its editor. */
export const insightsSql = {
  /** Each says what to do instead. */
  sqlProblem: {
    empty: "There is no statement yet. Write SELECT … FROM ….",
    nul_character: "This character can't be read. Remove it.",
    too_long: "The statement is longer than {{limit}}. Shorten it.",
    too_many_words: "The statement has more than {{limit}} words and signs. Split it into two datasets.",
    too_deep: "More than {{limit}} parentheses stand inside each other here. Name the inner parts by WITH.",
    too_complex: "This is nested too deeply to be read. Split it into two datasets.",
    too_heavy: "Columns are computed from columns in too many steps. Split the statement into two datasets.",
    unreadable: "A quote, a quoted name or a comment is opened and never closed.",
    syntax: "PostgreSQL can't read this: {{detail}}.",
    syntax_at_keyword:
      'PostgreSQL can\'t read “{{name}}” here. If it is the name of a table or column, write it in double quotes: "{{name}}".',
    variable_form: "A variable is written as {{open}}name{{close}}, with letters, digits and underscores.",
    variable_in_text:
      "A variable can't stand inside quotes. Join the parts instead: '%' || {{open}}{{name}}{{close}} || '%'.",
    variable_unknown: "There is no variable “{{name}}”. Add it under Variables, or remove it here.",
    variable_list_place:
      "“{{name}}” holds several values: write it alone, as in column IN ({{open}}{{name}}{{close}}).",
    parameter: "Numbered parameters can't be used. Add a variable and write {{open}}name{{close}}.",
    unicode_escapes: "Names and texts with Unicode escapes can't be used. Write the characters themselves.",
    several_statements: "Only one statement can be used. Remove everything after the first semicolon.",
    not_select: "Only SELECT can be used, and this is {{statement}}.",
    modifies: "A WITH query may only read, and this is {{statement}}.",
    recursive: "WITH RECURSIVE can't be used.",
    into: "SELECT INTO can't be used: nothing may be written.",
    locks: "FOR UPDATE and other locks can't be used: nothing may be written.",
    schema: "“{{name}}” names a schema. Write the name of the table alone.",
    table_unknown: "There is no table “{{name}}”.{{hint}}",
    too_many_tables: "More than {{limit}} different tables are named. Join some of them in a dataset of their own.",
    too_many_sources: "More than {{limit}} tables stand after FROM and JOIN. Split the statement into two datasets.",
    reserved_name: "A name can't begin with “pg_”. Choose another one than “{{name}}”.",
    function: "The function “{{name}}” can't be used here.{{hint}}",
    function_variadic: "VARIADIC can't be used.",
    type: "The type “{{name}}” can't be used here. Use text, numeric, integer, boolean, date, timestamptz or another one of the list.",
    operator: "The operator “{{name}}” can't be used here.",
    clause: "{{clause}} can't be used here.",
    column_unnamed: "Column {{number}} has no name. Give it one: … AS name.",
    column_twice: "Two columns are called “{{name}}”. Rename one of them: … AS other_name.",
    column_name:
      "“{{name}}” can't be the name of a column: it has to start with a letter and hold only letters, digits and underscores. Rename it: … AS name.",
    column_type:
      "The column “{{name}}” holds values of the type {{type}}, which can't be shown. Cast it: CAST(… AS text).",
    too_many_columns: "The statement gives more than {{limit}} columns. Name those that are needed.",
    refused_by_database: "{{detail}}.{{hint}}",
  },
  /** What means something else after the way from the basic mode to SQL. */
  sqlNote: {
    fixed_variable: "“{{name}}” can't be a variable of this statement: its default value stands in the text.",
    blank_variable:
      "A variable that is left blank is NULL in SQL. To leave its condition out then, write ({{token}} IS NULL OR …).",
  },
  /** Why a statement can't become a dataset of the basic mode. */
  sqlToBasic: {
    clause: "{{clause}} can't be said in the basic mode.",
    with: "WITH",
    union: "UNION, INTERSECT or EXCEPT",
    distinct: "DISTINCT",
    having: "HAVING",
    window: "A window (OVER)",
    values: "VALUES",
    offset: "OFFSET",
    limit: "A computed LIMIT",
    subquery: "A subquery",
    from: "This in FROM",
    join_condition: "A join by anything but equal columns",
    natural: "A join without ON",
    column: "A computed column",
    star_grouped: "A star with GROUP BY",
    condition: "This condition",
    group: "Grouping by anything but a column or a date cut by date_trunc",
    order: "Sorting by anything but an output column",
    no_table: "A statement without a table",
    unknown_column: "A column that no table of the statement has",
  },
  /** What can go wrong only when a written statement runs. */
  sqlRun: {
    division_by_zero: "The SQL divides by zero in some row. Write x / NULLIF(y, 0).",
    too_large: "The SQL computes a number that is too large for its type. Cast it to numeric, or leave such rows out.",
    not_of_type:
      "The SQL casts a text to a number or date that it isn't in some row. Leave such rows out by WHERE or CASE.",
    date_range: "The SQL computes a date that is out of range in some row. Leave such rows out by WHERE or CASE.",
    time_zone: "The SQL names a time zone that does not exist.",
    argument: "A function of the SQL gets a value that it can't take in some row.",
    pattern: "A regular expression of the SQL can't be read.",
    several_rows: "A subquery of the SQL gives several rows where one value is needed. Add LIMIT 1 or an aggregate.",
    value: "A value of some row doesn't fit what the SQL does with it. Leave such rows out by WHERE or CASE.",
    outdated: "The SQL no longer fits the data: {{detail}}. Open the dataset and change it.",
    outdated_at: "The SQL no longer fits the data, in line {{line}}: {{detail}}. Open the dataset and change it.",
  },
} as const;
