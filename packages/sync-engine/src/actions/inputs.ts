/** Inputs that several actions share. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { Values } from "@accord/contracts/data/values";
import { readTemplate, textOf } from "@accord/expressions";
import { z } from "zod";
import type { RunEnv } from "../functions/run-env.ts";
import { input, type NodeContext } from "../functions/define.ts";
import type { FlowRecord } from "../functions/flow.ts";
import { OBJECT_FIELDS } from "../functions/kinds/place.ts";
import { anySetting } from "../functions/kinds/settings.ts";
import { compileInput } from "../functions/kinds/value-function.ts";
import { ActionRefusal } from "./define.ts";

export type Read<Result> = (record: FlowRecord, env: RunEnv) => Result;

/** An input as text; lists are joined with semicolons. */
export function textInput(held: unknown, context: NodeContext, name: string): Read<string> {
  const read = compileInput(held ?? "", context, name);
  return (record, env) => textOf(read(record, env));
}

/** A text of HTML: what a token brings is text in it, never markup. */
export function htmlInput(held: string, context: NodeContext, name: string): Read<string> {
  const reads = readTemplate(held).map((part): Read<string> => {
    if ("text" in part) return () => part.text;
    const read = compileInput(`{{${part.token}}}`, context, name);
    return (record, env) => escapeHtml(textOf(read(record, env)));
  });
  return (record, env) => reads.map((read) => read(record, env)).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** As `textInput`, but a blank refuses the record. */
export function neededText(held: unknown, context: NodeContext, name: string, label: string): Read<string> {
  const read = textInput(held, context, name);
  return (record, env) => {
    const text = read(record, env).trim();
    if (text === "") throw new ActionRefusal("input_blank", fill(nodeFailures.inputBlank, { input: label }));
    return text;
  };
}

/** Texts of a list, or of one text split at semicolons and commas. */
export function listInput(held: unknown, context: NodeContext, name: string): Read<string[]> {
  const read = compileInput(held ?? "", context, name);
  return (record, env) => {
    const value = read(record, env);
    const parts = (Array.isArray(value) ? value : [value]).flatMap((part) => textOf(part).split(/[;,]/));
    return parts.map((part) => part.trim()).filter((part) => part !== "");
  };
}

export const Pairs = z
  .array(
    z.object({ from: anySetting, to: z.string({ error: nodeSettings.fieldInEachRow }).min(1) }),
    nodeSettings.addRow,
  )
  .min(1, nodeSettings.addRow)
  .max(300, fill(nodeSettings.rowsAtMost, { limit: 300 }));

/** Values by field, from a table of texts or tokens and the fields they are written into. */
export function pairsInput(pairs: z.output<typeof Pairs>, context: NodeContext): Read<Values> {
  const reads = pairs.map(({ from, to }) => ({ to, read: compileInput(from, context, "pairs") }));
  return (record, env) => Object.fromEntries(reads.map(({ to, read }) => [to, read(record, env)]));
}

export const PAIRS_INPUT = input({
  name: "pairs",
  label: "Fields",
  datatype: "composite",
  renderType: "placeValues",
  repeatable: true,
  required: true,
  allowUserToken: true,
  dependsOn: OBJECT_FIELDS,
  helpText: "Each row: a text or token, and the field it is written into.",
});

/** The same for an entity of the unified model, which another input names. */
export const CORE_PAIRS_INPUT = input({
  ...PAIRS_INPUT,
  renderType: "fieldValues",
  dependsOn: { dependantField: "entity", dependantType: "coreEntityFields" },
});

export const ENTITY_INPUT = input({
  name: "entity",
  label: "Entity",
  datatype: "picklist",
  renderType: "coreEntity",
  required: true,
  hideTokenPicker: true,
});
export const EntityName = z.string({ error: "Choose an entity." }).min(1, "Choose an entity.");

/** Which records are meant: those whose field equals a value. */
export const FIND_INPUTS = [
  input({
    name: "findField",
    label: "Find by field",
    datatype: "picklist",
    renderType: "recordField",
    required: true,
    hideTokenPicker: true,
    dependsOn: { dependantField: "entity", dependantType: "coreEntityFields" },
  }),
  input({
    name: "findValue",
    label: "Equal to",
    datatype: "text",
    required: true,
    allowUserToken: true,
    helpText: "A blank finds nothing.",
  }),
];
export const FIND_CONFIG = { findField: z.string().min(1, "Name a field."), findValue: z.any() };
