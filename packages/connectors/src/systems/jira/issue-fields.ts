/** Fields of Jira's issues: those of every site, and those that a site has added. */
import { ConnectorError } from "@accord/connector-sdk";
import type { DataType, Value } from "@accord/contracts/data/values";
import { z } from "zod";
import { day, json, moment, READ_ONLY, text, texts, type FieldInput } from "../fields.ts";

/** A member of an object that stands for it: `assignee` is the account id of a person. */
const inside = (apiName: string, member: string, more: Partial<FieldInput> = {}): FieldInput =>
  text(apiName, {
    path: `fields.${apiName}.${member}`,
    writePath: `${apiName}.${member}`,
    clearPath: apiName,
    ...more,
  });

export const ISSUE_FIELDS: readonly FieldInput[] = [
  text("id", { path: "id", ...READ_ONLY }),
  text("key", { path: "key", unique: true, ...READ_ONLY }),
  text("summary", { nillable: false }),
  text("description"),
  inside("issuetype", "name", { displayName: "Issue type", nillable: false }),
  // A status is changed by a transition of its workflow.
  inside("status", "name", READ_ONLY),
  inside("priority", "name"),
  inside("resolution", "name", READ_ONLY),
  inside("assignee", "accountId"),
  inside("reporter", "accountId"),
  inside("parent", "key"),
  texts("labels"),
  day("duedate", { displayName: "Due date" }),
  texts("components", { path: "fields.components[*].name", ...READ_ONLY }),
  texts("fixVersions", { path: "fields.fixVersions[*].name", ...READ_ONLY }),
  moment("created", { isCreatedAtField: true, ...READ_ONLY }),
  moment("updated", { isUpdatedAtField: true, ...READ_ONLY }),
  moment("resolutiondate", { displayName: "Resolved", ...READ_ONLY }),
];

const Fields = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    custom: z.boolean().default(false),
    schema: z.object({ type: z.string(), items: z.string().nullish() }).nullish(),
  }),
);

const TYPES: Record<string, DataType> = {
  string: "string",
  number: "double",
  date: "date",
  datetime: "datetime",
  option: "picklist",
};

/** An entity has a thousand fields at most. */
const MAX_CUSTOM_FIELDS = 900;

/** Fields that a site has added; those of kinds that have no text of their own are kept as they come, and only read. */
export function customFieldsIn(answer: Value): FieldInput[] {
  const { data } = Fields.safeParse(answer);
  if (!data) throw new ConnectorError("unexpected", "The list of fields has another form than Jira documents.");
  return data
    .filter(({ id, custom, schema }) => custom && schema && /^customfield_\d+$/.test(id))
    .slice(0, MAX_CUSTOM_FIELDS)
    .map(({ id, name, schema }): FieldInput => {
      const isList = schema?.type === "array";
      const dataType = TYPES[(isList ? schema?.items : schema?.type) ?? ""];
      const facts = { displayName: name.slice(0, 120) || id, custom: true };
      if (!dataType) return json(id, { ...facts, ...READ_ONLY });
      const isListOfChoices = isList && dataType === "picklist";
      return { apiName: id, ...facts, dataType, isMultiValueField: isList, ...(isListOfChoices && READ_ONLY) };
    });
}

/** Where a field is in an issue, by its type alone. */
export function pathsOf({ apiName, dataType, isMultiValueField }: FieldInput): Partial<FieldInput> {
  const known = ISSUE_FIELDS.find((field) => field.apiName === apiName);
  if (known?.path) return { path: known.path, writePath: known.writePath, clearPath: known.clearPath };
  const path = `fields.${apiName}`;
  if (dataType !== "picklist") return { path, writePath: apiName };
  return isMultiValueField
    ? { path: `${path}[*].value` }
    : { path: `${path}.value`, writePath: `${apiName}.value`, clearPath: apiName };
}
