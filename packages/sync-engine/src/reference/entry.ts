/** One function or action on its reference page: what it is for, its inputs, and its examples as a person would set them. */
import type { CompleteInput, INPUT_DATATYPES } from "@accord/contracts/config/inputs";
import { type Operand, Predicate } from "@accord/contracts/data/predicate";
import { values as words } from "@accord/contracts/messages/en/values";
import { decodeBody } from "@accord/contracts/sync/mail-body";
import type { ActionDefinition, ActionExample } from "../actions/define.ts";
import type { FunctionDefinition, FunctionExample } from "../functions/define.ts";

type Definition = FunctionDefinition | ActionDefinition;
type Example = FunctionExample | ActionExample;

/** Markdown of the whole entry. */
export function entry(definition: Definition): string {
  const shown = definition.inputs.filter((one) => !one.implicit);
  return [
    `### ${definition.label} (\`${definition.name}\`)`,
    definition.summary,
    [`In ${definition.levels.join(" and ")} pipelines${sideOf(definition)}.`, resultOf(definition), waysOf(definition)]
      .filter((sentence) => sentence !== "")
      .join(" "),
    ...(shown.length > 0 ? [inputTable(shown)] : []),
    ...(definition.examples.length > 0 ? [exampleTable(definition)] : []),
  ].join("\n\n");
}

/** As Markdown viewers make it of the heading. */
export const anchorOf = ({ label, name }: Definition): string =>
  `${label} ${name}`
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const sideOf = (definition: Definition): string =>
  "sourceSideOnly" in definition && definition.sourceSideOnly ? ", before the core entity" : "";

function resultOf(definition: Definition): string {
  if (!("output" in definition) || definition.output === null) return "";
  return `Its result: ${typeInWords(definition.output)}.`;
}

function waysOf(definition: Definition): string {
  const ways = "edgeTypes" in definition ? definition.edgeTypes : null;
  return ways === null || ways.includes("default") ? "" : `Ways out: ${ways.map(code).join(", ")}.`;
}

const TYPES: Partial<Readonly<Record<string, string>>> = {
  string: "text",
  textarea: "text",
  integer: "whole number",
  double: "number",
  decimal: "number",
  boolean: "yes or no",
  datetime: "date or date-time",
  picklist: "choice",
  multiselect: "choices",
  multiselectField: "fields",
  predicate: "condition",
  composite: "table",
  object: "any value",
  case: "value for a case",
  emailBody: "formatted text",
  emailList: "addresses",
} satisfies Partial<Record<(typeof INPUT_DATATYPES)[number] | "decimal", string>>;

const typeInWords = (datatype: string): string => TYPES[datatype] ?? datatype;

const code = (text: string): string => `\`${text.replaceAll("`", "'").replaceAll("|", "\\|").replaceAll("\n", "⏎")}\``;
const cell = (text: string): string => text.replaceAll("|", "\\|");
const json = (value: unknown): string => code(JSON.stringify(value));

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function inputTable(inputs: readonly CompleteInput[]): string {
  return table(
    ["Input", "Kind", "At first", "Meaning"],
    inputs.map((one) => [
      `${cell(one.label)}${one.required ? " *" : ""}`,
      `${typeInWords(one.datatype)}${one.repeatable ? ", several" : ""}`,
      one.defaultValue === undefined ? "" : cell(settingInWords(one, one.defaultValue)),
      cell(meaningOf(one)),
    ]),
  );
}

function meaningOf({ helpText, values }: CompleteInput): string {
  const choices = values?.map((choice) => choice.label).join(" · ");
  return [helpText, choices].filter((part) => part !== undefined).join(" ");
}

/** A choice by its label, yes or no, the rest as it is kept. */
function settingInWords(input: CompleteInput | undefined, value: unknown): string {
  const choice = input?.values?.find(({ id }) => id === value);
  if (choice) return choice.label;
  if (input?.datatype === "boolean" && typeof value === "boolean") return value ? "yes" : "no";
  if (input?.datatype === "emailBody" && typeof value === "string") return json(decodeBody(value));
  if (Array.isArray(value) && value.some((item) => rowInWords(item) !== null))
    return value.map((item) => code(rowInWords(item) ?? JSON.stringify(item))).join(", ");
  const row = rowInWords(value);
  if (row !== null) return code(row);
  const shown = readable(value);
  return typeof shown === "string" && shown.trim() !== "" ? code(shown) : json(shown);
}

/** A row of a table, or a case, as a person would say it; null for anything else. */
function rowInWords(row: unknown): string | null {
  if (typeof row !== "object" || row === null) return null;
  if ("from" in row && "to" in row) return `${plain(row.from)} → ${plain(row.to)}`;
  if ("filters" in row && "name" in row)
    return `${plain(row.name)}: ${"value" in row ? plain(row.value) : ""} where ${plain(readable(row.filters))}`;
  return "value" in row && Object.keys(row).length === 1 ? plain(row.value) : null;
}

const plain = (value: unknown): string => (typeof value === "string" && value !== "" ? value : JSON.stringify(value));

/** What can't be done stops the record in a function, and is a warning on it in an action. */
function exampleTable(definition: Definition): string {
  const { inputs, examples } = definition;
  const failing = "output" in definition ? "stops:" : "warning";
  return table(
    ["Example", "Given", "Gives"],
    examples.map((example) => [
      cell(example.says),
      given(inputs, example),
      example.fails ? `${failing} ${code(example.fails)}` : gives(example),
    ]),
  );
}

function given(inputs: readonly CompleteInput[], example: Example): string {
  const { record } = example;
  const parts: string[] = [];
  if ("in" in example && example.in !== undefined) parts.push(`*value* ${json(example.in)}`);
  if (record && Object.keys(record.values).length > 0) parts.push(`*record* ${json(record.values)}`);
  if (record?.source) parts.push(`*source* ${json(record.source)}`);
  if (record && "before" in record && record.before) parts.push(`*before* ${json(record.before)}`);
  for (const [name, value] of Object.entries(example.config)) {
    const input = inputs.find((one) => one.name === name);
    parts.push(`${cell(input?.label ?? name)}: ${settingInWords(input, value)}`);
  }
  if ("answers" in example)
    for (const answer of example.answers ?? [])
      parts.push(answer.ok ? `*found* ${json(answer.found)}` : `*answered* ${cell(answer.message)}`);
  return parts.length === 0 ? "a record" : parts.join("<br>");
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

const gives = (example: Example): string => ("work" in example ? json(example.work) : resultsOf(example));

/** What a function leaves; an action leaves nothing but its work. */
function resultsOf(example: FunctionExample): string {
  const parts: string[] = [];
  if (example.out !== undefined) parts.push(json(example.out));
  if (example.route !== undefined)
    parts.push(example.route === null ? "the path ends" : `leaves by ${code(example.route)}`);
  if (example.values) parts.push(`*record* ${json(example.values)}`);
  if (example.variables) parts.push(`*variables* ${json(example.variables)}`);
  if (example.warns) parts.push(`warning ${code(example.warns)}`);
  return parts.join("<br>");
}
