/** The reference pages of all functions and actions, written from their own words and examples. */
import { FUNCTION_FAMILIES } from "@accord/contracts/sync/palette";
import type { ActionDefinition } from "../actions/define.ts";
import { ACTIONS } from "../actions/registry.ts";
import { MAX_CHARACTERS, MAX_ITEMS } from "../functions/values/bounds.ts";
import type { Family } from "../functions/define.ts";
import { FUNCTIONS } from "../functions/registry.ts";
import { anchorOf, entry, table } from "./entry.ts";

const FAMILIES: Readonly<Record<Family, string>> = {
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

const GROUPS: Readonly<Record<ActionDefinition["group"], string>> = {
  message: "Messages",
  request: "Requests",
  external: "Records of connected systems",
  core: "Records of the unified model",
  flow: "Flow",
};

const count = (number: number): string => number.toLocaleString("en-US");

const FUNCTIONS_INTRODUCTION = `# Pipeline functions

Written from the functions themselves; every example below runs as a test. What pipelines do besides is on the page of
[actions](actions.md).

A function that makes a value takes it from its **Value** input, or from the step before when that is empty. Blank gives
blank unless said otherwise; a list is worked on item by item; a value that does not fit stops its record, which waits
in quarantine with the reason. So does a result of more than ${count(MAX_CHARACTERS)} characters or ${count(MAX_ITEMS)} items. The result is
available to later steps as \`{{Value From <label>}}\` and \`{{previousValue}}\`.

An input with a star has to be filled. In the examples, *record* is the record that comes to the function, *source* what
the connected system sent, *value* the result of the step before.`;

const ACTIONS_INTRODUCTION = `# Pipeline actions

Written from the actions themselves; every example below runs as a test. What makes and changes values is on the page of
[functions](functions.md).

An action does something besides moving values, once for each coming of a record. It never holds a record up: what fails
is a warning on the record, and can be repeated. Later steps may use its result as \`{{Action Result From <label>}}\`,
with a path to members of it, and ask for \`{{Status of Action <label>}}\`. A simulated test performs none.

An input with a star has to be filled. In the examples, *record* is the record that comes to the action.`;

/** Markdown of the page of functions. */
export const functionReference = (): string =>
  page(
    FUNCTIONS_INTRODUCTION,
    "functions",
    FUNCTION_FAMILIES.map((family) => [FAMILIES[family], FUNCTIONS.filter((one) => one.family === family)] as const),
  );

/** Markdown of the page of actions. */
export const actionReference = (): string =>
  page(
    ACTIONS_INTRODUCTION,
    "actions",
    Object.entries(GROUPS).map(([group, title]) => [title, ACTIONS.filter((one) => one.group === group)] as const),
  );

type Section = readonly [title: string, entries: Parameters<typeof entry>[0][]];

function page(introduction: string, what: string, sections: readonly Section[]): string {
  const all = sections.reduce((sum, [, entries]) => sum + entries.length, 0);
  const contents = table(
    ["", `${all} ${what}`],
    sections.map(([title, entries]) => [
      `**${title}**`,
      entries.map((one) => `[${one.label}](#${anchorOf(one)})`).join(" · "),
    ]),
  );
  const parts = sections.map(([title, entries]) => [`## ${title}`, ...entries.map(entry)].join("\n\n"));
  return `${[introduction, contents, ...parts].join("\n\n")}\n`;
}
