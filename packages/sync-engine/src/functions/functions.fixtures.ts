/** The pipeline in which the functions' examples and their random tests run. */
import { type FieldSchema, FieldSchema as Field } from "@accord/contracts/data/schema";
import { type CompileContext, NOTHING_SECRET } from "./context.ts";

export const FIELDS: FieldSchema[] = (
  [
    ["Name", "string"],
    ["size", "integer"],
    ["due", "date"],
    ["active", "boolean"],
    ["tags", "picklist", true],
  ] as const
).map(([apiName, dataType, isMultiValueField = false]) =>
  Field.parse({ apiName, displayName: apiName, dataType, isMultiValueField }),
);
FIELDS.push(
  Field.parse({
    apiName: "stage",
    displayName: "Stage",
    dataType: "picklist",
    picklist: [
      { id: "open", label: "In progress" },
      { id: "won", label: "Closed won" },
    ],
  }),
);
const SOURCE_FIELDS = ["country", "count"].map((apiName) => Field.parse({ apiName, displayName: apiName }));
export const SWITCH_SLOT = 1;
export const PREVIOUS_SLOT = 2;
export const NOW = Date.parse("2024-06-15T12:00:00.000Z");

const byName = (fields: readonly FieldSchema[]) => new Map(fields.map((field) => [field.apiName, field]));

export const CONTEXT: CompileContext = {
  coreFields: byName(FIELDS),
  slots: new Map([["node", 0]]),
  labels: new Map(),
  switches: new Map([["node", SWITCH_SLOT]]),
  sources: [{ connector: "CRM", entity: "company", fields: byName(SOURCE_FIELDS) }],
  variables: new Set(),
  sourceNodes: new Set(),
  snapshotNodes: new Set(),
  secrets: NOTHING_SECRET,
  timeZone: "UTC",
  pipelineName: "Account",
  instanceName: "Test",
};
