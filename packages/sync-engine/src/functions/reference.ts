/** The reference page of all functions, written from their own words and examples. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { FunctionDefinition, FunctionExample } from "./define.ts";
import { Predicate } from "@accord/contracts/data/predicate";
import type { Operand } from "@accord/contracts/data/predicate";
import { values as words } from "@accord/contracts/messages/en/values";
import { FUNCTION_FAMILIES } from "@accord/contracts/sync/pipelines";
import type { Family } from "./define.ts";
import { FUNCTIONS } from "./registry.ts";

const TITLES: Readonly<Record<Family, string>> = {
  flow: "Flow",
  record: "Records",
  text: "Text",
  list: "Lists",
  logic: "Logic",
  math: "Numbers",
  date: "Dates",
  convert: "Conversion",
  lookup: "Lookups",
  enrich: "Enrichment and AI",
};

const INTRODUCTION = `# Pipeline functions

Written from the functions themselves; every example below runs as a test.

A function that makes a value takes it from its **Value** input, or from the step before when that is empty. Blank gives
blank unless said otherwise; a list is worked on item by item; a value that does not fit stops its record, which waits
in quarantine with the reason. The result is available to later steps as \`{{Value From <label>}}\` and
\`{{previousValue}}\`.
`;

/** Markdown of the whole page. */
export function functionReference(): string {
  const families = FUNCTION_FAMILIES.map((family) => {
    const own = FUNCTIONS.filter((definition) => definition.family === family);
    return [`## ${TITLES[family]}`, ...own.map(entry)].join("\n\n");
  });
  return `${[INTRODUCTION.trimEnd(), contents(), ...families].join("\n\n")}\n`;
}

/** All functions by family, each with the way to its entry. */
function contents(): string {
  const rows = FUNCTION_FAMILIES.map((family) => {
    const own = FUNCTIONS.filter((definition) => definition.family === family);
    return [TITLES[family], own.map((one) => `[${one.label}](#${anchorOf(one)})`).join(" · ")];
  });
  return table(["Family", `${FUNCTIONS.length} functions`], rows);
}

/** As Markdown viewers make it of the heading. */
const anchorOf = ({ label, name }: FunctionDefinition): string =>
  `${label} ${name}`
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

function entry(definition: FunctionDefinition): string {
  const where = definition.levels.join(" and ") + (definition.sourceSideOnly ? ", source side only" : "");
  return [
    `### ${definition.label} (\`${definition.name}\`)`,
    definition.summary,
    `Used in ${where} pipelines.${ways(definition)}`,
    ...(definition.inputs.length > 0 ? [inputTable(definition.inputs)] : []),
    exampleTable(definition.examples),
  ].join("\n\n");
}

function ways({ edgeTypes }: FunctionDefinition): string {
  return edgeTypes === null || edgeTypes.includes("default") ? "" : ` Ways out: ${edgeTypes.map(code).join(", ")}.`;
}

const code = (text: string): string => `\`${text.replaceAll("`", "'").replaceAll("|", "\\|").replaceAll("\n", "⏎")}\``;
const cell = (text: string): string => text.replaceAll("|", "\\|");
const json = (value: unknown): string => code(JSON.stringify(value));

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function inputTable(inputs: readonly InputDefinition[]): string {
  const shown = inputs.filter((one) => !one.implicit);
  return table(
    ["Input", "Type", "Default", "Meaning"],
    shown.map((one) => [
      `${cell(one.label)}${one.required ? " *" : ""}`,
      `${one.datatype}${one.repeatable ? ", several" : ""}`,
      one.defaultValue === undefined ? "" : json(one.defaultValue),
      cell(meaning(one)),
    ]),
  );
}

const meaning = (one: InputDefinition): string =>
  one.helpText ?? (one.values ? one.values.map((choice) => choice.label).join(" · ") : "");

function exampleTable(examples: readonly FunctionExample[]): string {
  return table(
    ["Example", "Given", "Gives"],
    examples.map((example) => [cell(example.says), given(example), gives(example)]),
  );
}

function given({ config, in: value, record }: FunctionExample): string {
  const settings = Object.keys(config).length > 0 ? [`settings ${json(readable(config))}`] : [];
  const values = value === undefined ? [] : [`value ${json(value)}`];
  return [...values, ...(record ? [`record ${json(record.values)}`] : []), ...settings].join("<br>");
}

/** Settings with their conditions in words. */
function readable(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(readable);
  if (typeof part !== "object" || part === null) return part;
  const predicate = Predicate.safeParse(part);
  if (predicate.success) return inWords(predicate.data);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, readable(value)]));
}

function inWords(predicate: Predicate): string {
  if (predicate.type === "group") return predicate.children.map(inWords).join(` ${predicate.combinator} `);
  const right = predicate.right.map(operandInWords).join(", ");
  return `${operandInWords(predicate.left)} ${words.operator[predicate.operator]} ${right}`.trimEnd();
}

function operandInWords(operand: Operand): string {
  switch (operand.kind) {
    case "literal":
      return String(operand.value);
    case "field":
      return operand.field;
    case "token":
      return `{{${operand.token}}}`;
    case "variable":
      return `{{${operand.apiName}}}`;
  }
}

function gives(example: FunctionExample): string {
  if (example.fails) return `stops: ${code(example.fails)}`;
  const parts: string[] = [];
  if (example.out !== undefined) parts.push(json(example.out));
  if (example.route !== undefined)
    parts.push(example.route === null ? "the path ends" : `leaves by ${code(example.route)}`);
  if (example.values) parts.push(`record ${json(example.values)}`);
  if (example.variables) parts.push(`variables ${json(example.variables)}`);
  if (example.warns) parts.push(`warning ${code(example.warns)}`);
  return parts.join("<br>");
}
