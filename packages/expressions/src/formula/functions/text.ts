/** Text functions. Positions and lengths count characters, the first is 1. */
import { compileRegex, longestMatch, toPostgresRegex } from "../../regex/portable.ts";
import { bounded } from "./bounded.ts";
import { fixedSql, joinSql, sql, type SqlFragment } from "../../sql/fragment.ts";
import { foldText } from "../../values/compare.ts";
import { characterCount } from "../../values/convert.ts";
import { cutText, cutTextSql } from "../text-length.ts";
import type { FormulaEnv, FormulaFunction, Operand } from "../types.ts";

const ICU = fixedSql('COLLATE "und-x-icu"');
const folded = (text: SqlFragment): SqlFragment => sql`lower(${text} ${ICU})`;
const characters = (text: Operand): string[] => Array.from(String(text));
const SPACE = /^[ \t\n\r\f\v]+|[ \t\n\r\f\v]+$/g;

const WORDS = /[\p{L}\p{Nd}]+/gu;
const capitalised = (word: string): string => {
  const [first = ""] = word;
  return first.toUpperCase() + word.slice(first.length).toLowerCase();
};

function joined(args: readonly Operand[], env: FormulaEnv): string {
  let text = "";
  for (const one of args) {
    text += one ?? "";
    // Characters take two units at most: whatever follows would be cut.
    if (text.length > 2 * env.maxTextLength) break;
  }
  return cutText(text, env);
}

/** Joins as many parts as fit, so that no text much longer than that is ever made. */
function replaced(held: string, find: string, by: string, env: FormulaEnv): string {
  if (find === "") return cutText(held, env);
  const most = Math.floor(env.maxTextLength / Math.max(characterCount(by), 1)) + 2;
  return cutText(held.split(find, most).join(by), env);
}

type Spec = Omit<FormulaFunction, "category">;
const text = (spec: Spec): FormulaFunction => ({ ...spec, category: "text" });

function test(
  name: string,
  help: string,
  memory: (text: string, part: string) => boolean,
  make: (text: SqlFragment, part: SqlFragment) => SqlFragment,
): FormulaFunction {
  return text({
    name,
    signature: `${name}(text, part)`,
    help: `${help} Case does not matter.`,
    parameters: ["text", "text"],
    returns: "boolean",
    memory: ([held, part]) => memory(foldText(String(held)), foldText(String(part))),
    sql: ([held, part]) => make(folded(held), folded(part)),
  });
}

export const TEXT_FUNCTIONS: readonly FormulaFunction[] = [
  text({
    name: "concat",
    signature: "concat(text, text, …)",
    help: "Joins texts; blanks are left out.",
    parameters: ["text"],
    repeats: true,
    takesNull: true,
    returns: "text",
    memory: (args, env) => joined(args, env),
    sql: (args, env) => cutTextSql(sql`concat(${joinSql(args, ", ")})`, env),
  }),
  text({
    name: "upper",
    signature: "upper(text)",
    help: "All letters as capitals.",
    parameters: ["text"],
    returns: "text",
    memory: ([held]) => String(held).toUpperCase(),
    sql: ([held]) => sql`upper(${held} ${ICU})`,
  }),
  text({
    name: "lower",
    signature: "lower(text)",
    help: "All letters small.",
    parameters: ["text"],
    returns: "text",
    memory: ([held]) => String(held).toLowerCase(),
    sql: ([held]) => folded(held),
  }),
  text({
    name: "initcap",
    signature: "initcap(text)",
    help: "Each word with a capital first and the rest small; words are letters and digits.",
    parameters: ["text"],
    returns: "text",
    memory: ([held]) => String(held).replace(WORDS, capitalised),
    // Word by word, since the database's own function parts words by the language of the server.
    sql: ([held]) =>
      sql`CASE WHEN ${held} IS NOT NULL THEN (SELECT coalesce(string_agg(upper(left(w[1], 1) ${ICU}) || lower(substr(w[1], 2) ${ICU}), '' ORDER BY n), '') FROM regexp_matches(${held} ${ICU}, '[[:alnum:]]+|[^[:alnum:]]+', 'g') WITH ORDINALITY AS f(w, n)) END`,
  }),
  text({
    name: "trim",
    signature: "trim(text)",
    help: "Without white space at both ends.",
    parameters: ["text"],
    returns: "text",
    memory: ([held]) => String(held).replace(SPACE, ""),
    sql: ([held]) => sql`btrim(${held}, ${" \t\n\r\f\v"}::text)`,
  }),
  text({
    name: "length",
    signature: "length(text)",
    help: "The number of characters.",
    parameters: ["text"],
    returns: "integer",
    memory: ([held]) => String(characterCount(String(held))),
    sql: ([held]) => sql`char_length(${held})`,
  }),
  text({
    name: "left",
    signature: "left(text, count)",
    help: "The first characters.",
    parameters: ["text", "integer"],
    returns: "text",
    memory: ([held, count]) =>
      characters(held)
        .slice(0, Math.max(0, Number(count)))
        .join(""),
    sql: ([held, count]) => sql`left(${held}, ${bounded(count, 0, 1000000)}::integer)`,
  }),
  text({
    name: "right",
    signature: "right(text, count)",
    help: "The last characters.",
    parameters: ["text", "integer"],
    returns: "text",
    memory: ([held, count]) => (Number(count) > 0 ? characters(held).slice(-Number(count)).join("") : ""),
    sql: ([held, count]) => sql`right(${held}, ${bounded(count, 0, 1000000)}::integer)`,
  }),
  text({
    name: "substring",
    signature: "substring(text, start, length)",
    help: "A part of the text; to its end when the length is left out.",
    parameters: ["text", "integer", "integer"],
    optional: 1,
    returns: "text",
    memory: ([held, start, length]) => {
      const first = Math.max(1, Number(start));
      const all = characters(held);
      return all.slice(first - 1, length === undefined ? undefined : first - 1 + Math.max(0, Number(length))).join("");
    },
    sql: ([held, start, length]) => {
      const first = sql`${bounded(start, 1, 1000000)}::integer`;
      return length
        ? sql`substr(${held}, ${first}, ${bounded(length, 0, 1000000)}::integer)`
        : sql`substr(${held}, ${first})`;
    },
  }),
  text({
    name: "replace",
    signature: "replace(text, find, by)",
    help: "Replaces a text wherever it stands, with its case.",
    parameters: ["text", "text", "text"],
    returns: "text",
    memory: ([held, find, by], env) => replaced(String(held), String(find), String(by), env),
    // Put together of as many parts as fit: the database's own function would build the whole text before it is cut.
    sql: ([held, find, by], env) => {
      const parts = sql`string_to_array(${held}, ${find})`;
      const most = sql`${fixedSql(String(env.maxTextLength))} / greatest(char_length(${by}), 1) + 2`;
      const text = cutTextSql(sql`array_to_string((${parts})[1:${most}], ${by})`, env);
      return sql`CASE WHEN ${find} IS NOT NULL THEN ${text} END`;
    },
  }),
  text({
    name: "split_part",
    signature: "split_part(text, separator, number)",
    help: "The numbered part between separators.",
    parameters: ["text", "text", "integer"],
    returns: "text",
    memory: ([held, separator, number]) => {
      const parts = separator === "" ? [String(held)] : String(held).split(String(separator));
      return Number(number) < 1 ? "" : (parts[Number(number) - 1] ?? "");
    },
    sql: ([held, separator, number]) =>
      sql`CASE WHEN ${number} < 1 THEN left(${held}, 0) ELSE split_part(${held}, ${separator}, ${bounded(number, 1, 1000000)}::integer) END`,
  }),
  text({
    name: "position",
    signature: "position(text, part)",
    help: "Where a part begins, 0 when it is not there. Case matters.",
    parameters: ["text", "text"],
    returns: "integer",
    memory: ([held, part]) => {
      const at = String(held).indexOf(String(part));
      return String(at < 0 ? 0 : characterCount(String(held).slice(0, at)) + 1);
    },
    sql: ([held, part]) => sql`position(${part} IN ${held})`,
  }),
  test(
    "starts_with",
    "Whether the text begins with a part.",
    (held, part) => held.startsWith(part),
    (held, part) => sql`starts_with(${held}, ${part})`,
  ),
  test(
    "ends_with",
    "Whether the text ends with a part.",
    (held, part) => held.endsWith(part),
    (held, part) => sql`(right(${held}, char_length(${part})) = ${part})`,
  ),
  test(
    "contains",
    "Whether the text holds a part.",
    (held, part) => held.includes(part),
    (held, part) => sql`(position(${part} IN ${held}) > 0)`,
  ),
  text({
    name: "regex_match",
    signature: "regex_match(text, 'pattern')",
    help: "Whether a regular expression finds something in the text. Case matters.",
    parameters: ["text", "pattern"],
    returns: "boolean",
    memory: ([held, pattern]) => compileRegex(String(pattern)).test(String(held)),
    sql: ([held], _env, _types, fixed) => sql`(${held} COLLATE "C" ~ ${toPostgresRegex(fixed[1])}::text)`,
  }),
  text({
    name: "regex_extract",
    signature: "regex_extract(text, 'pattern')",
    help: "The first and longest text that a regular expression finds, null where it finds nothing. Case matters.",
    parameters: ["text", "pattern"],
    returns: "text",
    // The result has the collation of all other texts again: two explicit ones would not go together.
    memory: ([held, pattern]) => longestMatch(String(held), String(pattern)),
    sql: ([held], _env, _types, fixed) =>
      sql`(regexp_match(${held} COLLATE "C", ${toPostgresRegex(fixed[1])}::text))[1] ${ICU}`,
  }),
  text({
    name: "lpad",
    signature: "lpad(text, length, fill)",
    help: "Fills up at the left to a length, or cuts to it.",
    parameters: ["text", "integer", "text"],
    returns: "text",
    memory: ([held, length, fill]) => {
      const wanted = Math.min(1000, Math.max(0, Number(length)));
      const all = characters(held);
      const missing = wanted - all.length;
      if (missing <= 0 || fill === "") return all.slice(0, wanted).join("");
      return characters(String(fill).repeat(missing)).slice(0, missing).join("") + all.join("");
    },
    sql: ([held, length, fill]) => sql`lpad(${held}, ${bounded(length, 0, 1000)}::integer, ${fill})`,
  }),
];
