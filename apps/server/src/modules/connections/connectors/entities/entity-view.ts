/** One stored entity as others see it: the id and watermark fields in force, and what keeps it from being used. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import type { Capability, ConnectorDefinition } from "@accord/connector-sdk";
import type {
  ConnectorEntity,
  ConnectorEntitySummary,
  WriteComparison,
} from "@accord/contracts/connections/connectors";
import type { Id } from "@accord/contracts";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { Values } from "@accord/contracts/data/values";
import type { EntityRow } from "./entities.store.ts";
import type { ConnectorEntityFacts } from "../connector-facts.ts";

const isActive = (field: FieldSchema): boolean => field.status === "ACTIVE";

const ID_TYPES: ReadonlySet<string> = new Set(["string", "integer", "decimal", "reference", "picklist"]);
const WATERMARK_TYPES: ReadonlySet<string> = new Set(["datetime", "timestamp", "date"]);

export const idCandidates = (schema: EntitySchema): string[] =>
  schema.fields.filter((f) => isActive(f) && !f.isMultiValueField && ID_TYPES.has(f.dataType)).map((f) => f.apiName);

export const watermarkCandidates = (schema: EntitySchema): string[] =>
  schema.fields
    .filter((f) => isActive(f) && !f.isMultiValueField && WATERMARK_TYPES.has(f.dataType))
    .map((f) => f.apiName);

interface InForce {
  schema: EntitySchema;
  idField: string | null;
  watermarkField: string | null;
  problem: string | null;
}

/** Marks the fields in force. A chosen field that has vanished leaves the entity with a problem, never with another field. */
export function inForce({ definition, status, id_field, watermark_field }: EntityRow): InForce {
  const active = new Set(definition.fields.filter(isActive).map((field) => field.apiName));
  const found = (mark: "isIdField" | "isWatermarkField"): string | null =>
    definition.fields.find((field) => field[mark] && isActive(field))?.apiName ?? null;
  const idField = id_field ?? found("isIdField");
  const watermarkField = watermark_field ?? found("isWatermarkField");
  return {
    idField,
    watermarkField,
    problem: problemOf(definition, status, { idField, watermarkField }, active),
    schema: {
      ...definition,
      fields: definition.fields.map((field) => ({
        ...field,
        isIdField: field.apiName === idField,
        isWatermarkField: field.apiName === watermarkField,
      })),
    },
  };
}

function problemOf(
  schema: EntitySchema,
  status: "ACTIVE" | "INACTIVE",
  { idField, watermarkField }: { idField: string | null; watermarkField: string | null },
  active: ReadonlySet<string>,
): string | null {
  if (status === "INACTIVE") return fill(connectionErrors.entityNotFound, { entity: schema.displayName });
  if (idField === null) return fill(connectionErrors.idUndefined, { entity: schema.displayName });
  if (!active.has(idField)) return fill(connectionErrors.idFieldGone, { field: idField });
  if (watermarkField !== null && !active.has(watermarkField))
    return fill(connectionErrors.watermarkFieldGone, { field: watermarkField });
  return null;
}

export function entitySummary(row: EntityRow): ConnectorEntitySummary {
  const { idField, watermarkField, problem } = inForce(row);
  const { displayName, pluralName, description, readOnly, fields } = row.definition;
  return {
    apiName: row.api_name,
    displayName,
    pluralName,
    description,
    readOnly,
    status: row.status,
    fieldCount: fields.filter(isActive).length,
    idField,
    watermarkField,
    idFieldChosen: row.id_field !== null,
    watermarkFieldChosen: row.watermark_field !== null,
    problem,
    refreshedAt: row.refreshed_at,
  };
}

export const entityDetail = (row: EntityRow, definition: ConnectorDefinition, config: Values): ConnectorEntity => ({
  ...entitySummary(row),
  connectorId: row.connector_id as Id<"connector">,
  schema: inForce(row).schema,
  idCandidates: idCandidates(row.definition),
  watermarkCandidates: watermarkCandidates(row.definition),
  writeComparison: writeComparison(capabilitiesOf(definition, config, row.definition)),
});

export function entityFacts(row: EntityRow, definition: ConnectorDefinition, config: Values): ConnectorEntityFacts {
  const { schema, idField, watermarkField, problem } = inForce(row);
  return {
    connectorId: row.connector_id as Id<"connector">,
    apiName: row.api_name,
    displayName: schema.displayName,
    readOnly: schema.readOnly,
    status: row.status,
    idField,
    watermarkField,
    problem,
    capabilities: capabilitiesOf(definition, config, schema),
    schema,
  };
}

function writeComparison(capabilities: readonly Capability[]): WriteComparison | null {
  if (!capabilities.includes("update") && !capabilities.includes("delete")) return null;
  if (capabilities.includes("conditionalWrite")) return "conditional";
  return capabilities.includes("checkedWrite") ? "checked" : "unchecked";
}

/** A configuration that can't be parsed any more allows nothing. */
function capabilitiesOf(definition: ConnectorDefinition, config: Values, schema: EntitySchema): readonly Capability[] {
  return definition.problems(config).length === 0 ? definition.capabilitiesOf(config, schema) : [];
}

/** What was discovered joined with what was known: vanished fields stay as INACTIVE, and the id stays as it is. */
export function mergeSchemas(known: EntitySchema | undefined, found: EntitySchema): EntitySchema {
  const names = new Set(found.fields.map((field) => field.apiName));
  const vanished = (known?.fields ?? []).filter((field) => !names.has(field.apiName));
  const fields = known ? withKnownId(known, found) : found.fields;
  return { ...found, fields: [...fields, ...vanished.map((f): FieldSchema => ({ ...f, status: "INACTIVE" }))] };
}

/**
 * Records are tied by their ids. A key of several columns that is found for a table read before by a unique column is
 * offered beside it; the id changes only when a person chooses, or when the column is no longer unique.
 */
function withKnownId(known: EntitySchema, found: EntitySchema): FieldSchema[] {
  const before = known.fields.find((field) => field.isIdField && isActive(field))?.apiName;
  const after = found.fields.find((field) => field.isIdField);
  const isKept = found.fields.some(({ apiName, unique }) => apiName === before && unique);
  if (!isKept || !after?.calculated || after.apiName === before) return found.fields;
  const knownFields = new Map(known.fields.map((field) => [field.apiName, field]));
  return found.fields.map((field) => ({
    ...field,
    // A column that is the id is no reference.
    dataType: (field.apiName === before && knownFields.get(before)?.dataType) || field.dataType,
    isIdField: field.apiName === before,
    updateable: field.calculated ? field.updateable : (knownFields.get(field.apiName)?.updateable ?? field.updateable),
  }));
}
