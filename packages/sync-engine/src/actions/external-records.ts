/** Create, update and delete external record: writes into a connected system beside the pipeline's destinations. */
import { z } from "zod";
import { input, schemaIssues } from "../functions/define.ts";
import { PLACE_CONFIG, ENDPOINT_INPUTS } from "../functions/kinds/place.ts";
import type { ActionDefinition } from "./define.ts";
import { neededText, Pairs, PAIRS_INPUT, pairsInput } from "./inputs.ts";

const ID_INPUT = input({
  name: "externalId",
  label: "Id there",
  datatype: "text",
  required: true,
  allowUserToken: true,
});
const PLACES = ENDPOINT_INPUTS.map(input);
const CREATE = z.looseObject({ ...PLACE_CONFIG, pairs: Pairs });
const UPDATE = z.looseObject({ ...PLACE_CONFIG, externalId: z.any(), pairs: Pairs });
const DELETE = z.looseObject({ ...PLACE_CONFIG, externalId: z.any() });
const place = { connectorId: "crm", entity: "task" };
const NAME = { from: "{{previous.values.Name}}", to: "title" };
const shared = { group: "external", levels: ["entity", "field"], effect: "work" } as const;

export const createExternalRecord: ActionDefinition = {
  ...shared,
  name: "createExternalRecord",
  label: "Create external record",
  summary: "Makes a record in a connected system; its id is the node's result.",
  inputs: [...PLACES, PAIRS_INPUT],
  check: (configuration) => schemaIssues(CREATE, configuration, () => false),
  prepare: (configuration, context) => {
    const { connectorId, entity, pairs } = CREATE.parse(configuration);
    const read = pairsInput(pairs, context);
    return (record, env) => ({ kind: "createExternal", connectorId, entity, values: read(record, env) });
  },
  examples: [
    {
      says: "fields are filled from the record",
      config: { ...place, pairs: [NAME, { from: "open", to: "status" }] },
      record: { values: { Name: "Call" } },
      work: { kind: "createExternal", ...place, values: { title: "Call", status: "open" } },
    },
    {
      says: "a blank is written as a blank",
      config: { ...place, pairs: [NAME] },
      record: { values: {} },
      work: { kind: "createExternal", ...place, values: { title: null } },
    },
    {
      says: "one token keeps its type",
      config: { ...place, pairs: [{ from: "{{previous.values.size}}", to: "size" }] },
      record: { values: { size: 3 } },
      work: { kind: "createExternal", ...place, values: { size: 3 } },
    },
  ],
};

export const updateExternalRecord: ActionDefinition = {
  ...shared,
  name: "updateExternalRecord",
  label: "Update external record",
  summary: "Changes a record of a connected system, found by its id there.",
  inputs: [...PLACES, ID_INPUT, PAIRS_INPUT],
  check: (configuration) => schemaIssues(UPDATE, configuration, () => false),
  prepare: (configuration, context) => {
    const { connectorId, entity, externalId, pairs } = UPDATE.parse(configuration);
    const readId = neededText(externalId, context, "externalId", "The id");
    const read = pairsInput(pairs, context);
    return (record, env) => ({
      kind: "updateExternal",
      connectorId,
      entity,
      externalId: readId(record, env),
      values: read(record, env),
    });
  },
  examples: [
    {
      says: "by id",
      config: { ...place, externalId: "7", pairs: [NAME] },
      record: { values: { Name: "Call" } },
      work: { kind: "updateExternal", ...place, externalId: "7", values: { title: "Call" } },
    },
    {
      says: "the id may come from a token",
      config: { ...place, externalId: "{{previous.values.size}}", pairs: [NAME] },
      record: { values: { size: 9 } },
      work: { kind: "updateExternal", ...place, externalId: "9", values: { title: null } },
    },
    {
      says: "without an id nothing is changed",
      config: { ...place, externalId: "{{previous.values.size}}", pairs: [NAME] },
      record: { values: {} },
      fails: "input_blank",
    },
  ],
};

export const deleteExternalRecord: ActionDefinition = {
  ...shared,
  name: "deleteExternalRecord",
  label: "Delete external record",
  summary: "Deletes a record of a connected system, found by its id there.",
  inputs: [...PLACES, ID_INPUT],
  check: (configuration) => schemaIssues(DELETE, configuration, () => false),
  prepare: (configuration, context) => {
    const { connectorId, entity, externalId } = DELETE.parse(configuration);
    const readId = neededText(externalId, context, "externalId", "The id");
    return (record, env) => ({ kind: "deleteExternal", connectorId, entity, externalId: readId(record, env) });
  },
  examples: [
    {
      says: "by id",
      config: { ...place, externalId: "7" },
      record: { values: {} },
      work: { kind: "deleteExternal", ...place, externalId: "7" },
    },
    {
      says: "the id may come from a token",
      config: { ...place, externalId: "{{previous.values.Name}}" },
      record: { values: { Name: "k1" } },
      work: { kind: "deleteExternal", ...place, externalId: "k1" },
    },
    {
      says: "without an id nothing is deleted",
      config: { ...place, externalId: "{{previous.values.Name}}" },
      record: { values: {} },
      fails: "input_blank",
    },
  ],
};
