/** Create, update and delete core record: changes records of the unified model, which then travel on as any change. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { isBlank } from "@accord/expressions";
import { z } from "zod";
import { input, schemaIssues } from "../functions/define.ts";
import { compileInput } from "../functions/kinds/value-function.ts";
import { type ActionDefinition, ActionRefusal } from "./define.ts";
import { ENTITY_INPUT, EntityName, FIND_CONFIG, FIND_INPUTS, Pairs, CORE_PAIRS_INPUT, pairsInput } from "./inputs.ts";
import type { NodeContext } from "../functions/define.ts";

const CREATE = z.looseObject({ entity: EntityName, pairs: Pairs });
const UPDATE = z.looseObject({
  entity: EntityName,
  ...FIND_CONFIG,
  pairs: Pairs,
  upsert: z.boolean().default(false),
});
const DELETE = z.looseObject({ entity: EntityName, ...FIND_CONFIG, deleteInEndSystem: z.boolean().default(false) });
const NAME = { from: "{{previous.values.Name}}", to: "Name" };
const find = { findField: "Email", findValue: "{{previous.values.Name}}" };
const shared = { group: "core", levels: ["entity", "field"], effect: "work" } as const;

/** A blank finds nothing, so it is refused: it must never mean every record. */
function soughtValue(held: unknown, context: NodeContext) {
  const read = compileInput(held, context, "findValue");
  return (...at: Parameters<typeof read>) => {
    const value = read(...at);
    if (isBlank(value)) throw new ActionRefusal("input_blank", nodeFailures.findByBlank);
    return value;
  };
}

export const createCoreRecord: ActionDefinition = {
  ...shared,
  name: "createCoreRecord",
  label: "Create core record",
  summary: "Makes a record of an entity of the unified model.",
  inputs: [ENTITY_INPUT, CORE_PAIRS_INPUT],
  check: (configuration) => schemaIssues(CREATE, configuration, () => false),
  prepare: (configuration, context) => {
    const { entity, pairs } = CREATE.parse(configuration);
    const read = pairsInput(pairs, context);
    return (record, env) => ({ kind: "createCore", entity, values: read(record, env) });
  },
  examples: [
    {
      says: "fields are filled from the record",
      config: { entity: "Task", pairs: [NAME] },
      record: { values: { Name: "Call" } },
      work: { kind: "createCore", entity: "Task", values: { Name: "Call" } },
    },
    {
      says: "fixed texts too",
      config: { entity: "Task", pairs: [{ from: "new", to: "Status" }] },
      record: { values: {} },
      work: { kind: "createCore", entity: "Task", values: { Status: "new" } },
    },
    {
      says: "one token keeps its type",
      config: { entity: "Task", pairs: [{ from: "{{previous.values.size}}", to: "Size" }] },
      record: { values: { size: 3 } },
      work: { kind: "createCore", entity: "Task", values: { Size: 3 } },
    },
  ],
};

export const updateCoreRecord: ActionDefinition = {
  ...shared,
  name: "updateCoreRecord",
  label: "Update core record",
  summary: "Changes the records of an entity whose field equals a value, or makes one where there is none.",
  inputs: [
    ENTITY_INPUT,
    ...FIND_INPUTS,
    CORE_PAIRS_INPUT,
    input({
      name: "upsert",
      label: "Create when none is found",
      datatype: "boolean",
      defaultValue: false,
      hideTokenPicker: true,
    }),
  ],
  check: (configuration) => schemaIssues(UPDATE, configuration, () => false),
  prepare: (configuration, context) => {
    const { entity, findField: field, findValue, pairs, upsert } = UPDATE.parse(configuration);
    const sought = soughtValue(findValue, context);
    const read = pairsInput(pairs, context);
    return (record, env) => ({
      kind: "updateCore",
      entity,
      field,
      value: sought(record, env),
      values: read(record, env),
      upsert,
    });
  },
  examples: [
    {
      says: "those whose field equals the value",
      config: { entity: "Contact", ...find, pairs: [NAME] },
      record: { values: { Name: "ann" } },
      work: {
        kind: "updateCore",
        entity: "Contact",
        field: "Email",
        value: "ann",
        values: { Name: "ann" },
        upsert: false,
      },
    },
    {
      says: "or a new one",
      config: { entity: "Contact", ...find, pairs: [NAME], upsert: true },
      record: { values: { Name: "ann" } },
      work: {
        kind: "updateCore",
        entity: "Contact",
        field: "Email",
        value: "ann",
        values: { Name: "ann" },
        upsert: true,
      },
    },
    {
      says: "a blank never means every record",
      config: { entity: "Contact", ...find, pairs: [NAME] },
      record: { values: { Name: "" } },
      fails: "input_blank",
    },
  ],
};

export const deleteCoreRecord: ActionDefinition = {
  ...shared,
  name: "deleteCoreRecord",
  label: "Delete core record",
  summary: "Deletes the records of an entity whose field equals a value; the record in flight goes on.",
  inputs: [
    ENTITY_INPUT,
    ...FIND_INPUTS,
    input({
      name: "deleteInEndSystem",
      label: "Delete in end systems too",
      datatype: "boolean",
      defaultValue: false,
      hideTokenPicker: true,
    }),
  ],
  check: (configuration) => schemaIssues(DELETE, configuration, () => false),
  prepare: (configuration, context) => {
    const { entity, findField: field, findValue, deleteInEndSystem } = DELETE.parse(configuration);
    const sought = soughtValue(findValue, context);
    return (record, env) => ({ kind: "deleteCore", entity, field, value: sought(record, env), deleteInEndSystem });
  },
  examples: [
    {
      says: "those whose field equals the value",
      config: { entity: "Contact", ...find },
      record: { values: { Name: "ann" } },
      work: { kind: "deleteCore", entity: "Contact", field: "Email", value: "ann", deleteInEndSystem: false },
    },
    {
      says: "in the connected systems too",
      config: { entity: "Contact", ...find, deleteInEndSystem: true },
      record: { values: { Name: "ann" } },
      work: { kind: "deleteCore", entity: "Contact", field: "Email", value: "ann", deleteInEndSystem: true },
    },
    {
      says: "a blank never means every record",
      config: { entity: "Contact", ...find },
      record: { values: {} },
      fails: "input_blank",
    },
  ],
};
