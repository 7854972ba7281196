/** A setting that names a field of the core entity. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { InputIssue } from "../define.ts";

/** Chooses the field. */
export const FIELD_INPUT: InputDefinition = {
  name: "field",
  label: "Field",
  datatype: "picklist",
  renderType: "coreField",
  required: true,
  hideTokenPicker: true,
};

export function fieldFaults(held: unknown, fields: readonly FieldSchema[], inputName = "field"): InputIssue[] {
  if (typeof held !== "string" || held === "") return [{ input: inputName, reason: nodeSettings.chooseField }];
  if (fields.some((field) => field.apiName === held)) return [];
  return [{ input: inputName, reason: fill(nodeSettings.noSuchFieldToChoose, { field: held }) }];
}
