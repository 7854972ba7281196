/** Small faults in SQL texts: conditions that no longer hold anything back, bounds moved by one, orders turned round. */

/** A change of a text, from one character to another. */
export interface TextEdit {
  kind: string;
  start: number;
  end: number;
  becomes: string;
}

interface Token {
  text: string;
  /** Upper case, to compare with keywords; empty for texts and holes. */
  word: string;
  start: number;
  end: number;
  /** How many parentheses are open around it. */
  depth: number;
}

/** What a text has to hold to be taken for SQL. */
const SQL = /\b(SELECT|UPDATE|INSERT INTO|DELETE FROM|WHERE|AND NOT|RETURNING)\b/;
/** Operators on JSON and arrays that hold a `<` or `>` are one token each: they compare nothing. */
const TOKEN = /\$\{|'(?:[^']|'')*'|"[^"]*"|[A-Za-z_][\w.]*|\$?\d+|::|[-#]>>?|@>|<@|<=|>=|<>|[^\s]/g;
const BEFORE_CONDITION = new Set(["WHERE", "AND", "ON", "WHEN", "HAVING"]);
const AFTER_CONDITION = new Set(
  "AND OR WHERE GROUP ORDER LIMIT FOR RETURNING UNION JOIN LEFT RIGHT INNER CROSS THEN ON SET DO HAVING WINDOW OFFSET WHEN END".split(
    " ",
  ),
);
const SWAPPED = new Map<string, readonly [kind: string, becomes: string]>([
  ["<", ["sql-bound", "<="]],
  ["<=", ["sql-bound", "<"]],
  [">", ["sql-bound", ">="]],
  [">=", ["sql-bound", ">"]],
  ["<>", ["sql-equality", "="]],
  ["LEAST", ["sql-extreme", "greatest"]],
  ["GREATEST", ["sql-extreme", "least"]],
  ["MIN", ["sql-extreme", "max"]],
  ["MAX", ["sql-extreme", "min"]],
  ["TRUE", ["sql-flag", "false"]],
  ["FALSE", ["sql-flag", "true"]],
  ["DESC", ["sql-order", "ASC"]],
  ["ASC", ["sql-order", "DESC"]],
]);

export const isSql = (text: string): boolean => SQL.test(text);

/**
 * The faults that can be built into a text of SQL, which may have `${}` holes as a template of JavaScript has.
 * A condition is switched off by `OR true`, so that the parameters it names are still there.
 */
export function sqlEdits(text: string): TextEdit[] {
  const tokens = tokensOf(text);
  return tokens.flatMap((token, index) => {
    const swapped = SWAPPED.get(token.word);
    const edits: TextEdit[] = [];
    if (swapped && tokens[index + 1]?.text !== "," && !isNamed(tokens, index))
      edits.push({ kind: swapped[0], start: token.start, end: token.end, becomes: swapped[1] });
    if (BEFORE_CONDITION.has(token.word)) edits.push(...conditionAfter(text, tokens, index));
    if (token.word === "BY" && tokens[index - 1]?.word === "ORDER") edits.push(...turnedRound(tokens, index));
    return edits;
  });
}

/** A column of that name, or a cast. */
const isNamed = (tokens: readonly Token[], index: number): boolean => {
  const before = tokens[index - 1];
  return before?.text === "::" || before?.word === "AS";
};

function conditionAfter(text: string, tokens: readonly Token[], index: number): TextEdit[] {
  const at = tokens[index];
  const first = tokens[index + 1];
  if (!at || !first || first.word === "CONFLICT" || isRange(tokens, index)) return [];
  let last: Token | null = null;
  let isInRange = false;
  for (const token of tokens.slice(index + 1)) {
    const isOutside = token.depth < at.depth;
    const ends =
      token.depth === at.depth && (AFTER_CONDITION.has(token.word) || token.text === "," || token.text === ";");
    if (isOutside || (ends && !(isInRange && token.word === "AND"))) break;
    if (token.depth === at.depth && token.word === "BETWEEN") isInRange = true;
    else if (token.word === "AND") isInRange = false;
    last = token;
  }
  if (!last) return [];
  // What always holds holds nothing back.
  if (first === last && first.word === "TRUE") return [];
  const condition = text.slice(first.start, last.end);
  // A hole alone may hold anything, more than one condition among it.
  if (condition.startsWith("${") && last.start === first.start) return [];
  return [{ kind: "sql-condition", start: first.start, end: last.end, becomes: `(${condition} OR true)` }];
}

/** The AND of a BETWEEN. */
function isRange(tokens: readonly Token[], index: number): boolean {
  const at = tokens[index];
  if (at?.word !== "AND") return false;
  for (let before = index - 1; before >= 0; before -= 1) {
    const token = tokens[before];
    if (!token || token.depth < at.depth) return false;
    if (token.depth > at.depth) continue;
    if (token.word === "BETWEEN") return true;
    if (AFTER_CONDITION.has(token.word)) return false;
  }
  return false;
}

/** ORDER BY the other way round, where no direction is said. */
function turnedRound(tokens: readonly Token[], index: number): TextEdit[] {
  const at = tokens[index];
  const first = tokens[index + 1];
  if (!at || !first) return [];
  let last = first;
  for (const token of tokens.slice(index + 2)) {
    const ends =
      token.depth < at.depth ||
      (token.depth === at.depth && /^(,|;|LIMIT|FOR|OFFSET|NULLS|DESC|ASC)$/.test(token.word || token.text));
    if (ends) return token.word === "DESC" || token.word === "ASC" ? [] : [after(last)];
    last = token;
  }
  return [after(last)];
}

const after = ({ end }: Token): TextEdit => ({ kind: "sql-order", start: end, end, becomes: " DESC" });

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found; found = TOKEN.exec(text)) {
    const start = found.index;
    const isHole = found[0] === "${";
    const end = isHole ? endOfHole(text, start) : start + found[0].length;
    TOKEN.lastIndex = end;
    const piece = text.slice(start, end);
    if (piece === ")") depth -= 1;
    // A bracket belongs to what it closes: the condition around it goes on.
    const isQuoted = isHole || piece.startsWith("'") || piece.startsWith('"');
    tokens.push({ text: piece, word: isQuoted ? "" : piece.toUpperCase(), start, end, depth });
    if (piece === "(") depth += 1;
  }
  return tokens;
}

function endOfHole(text: string, start: number): number {
  let open = 0;
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "{") open += 1;
    if (text[index] === "}") open -= 1;
    if (open === 0) return index + 1;
  }
  return text.length;
}
