/** Get external id. */
import { isBlank, textOf } from "@accord/expressions";
import { z } from "zod";
import { requestingNode } from "../kinds/data-request-function.ts";
import { type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { PLACE_CONFIG, ENDPOINT_INPUTS } from "../kinds/place.ts";
import { compileInput } from "../kinds/value-function.ts";

const Config = z.looseObject({ ...PLACE_CONFIG, recordId: z.any().default("") });
const config = { connectorId: "crm", entity: "contact" };
const RECORD = "0123456789abcdef01234567";

export const getExternalId: FunctionDefinition = {
  name: "getExternalId",
  label: "Get external id",
  family: "lookup",
  summary: "Gives the id under which a connected system knows a record.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    ...ENDPOINT_INPUTS.map(input),
    input({
      name: "recordId",
      label: "Record id",
      datatype: "text",
      allowUserToken: true,
      helpText: "Empty: this record.",
    }),
  ],
  edgeTypes: null,
  output: "string",
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  compile: (configuration, context) => {
    const { connectorId, entity, recordId } = Config.parse(configuration);
    const read = isBlank(recordId) ? null : compileInput(recordId, context, "recordId");
    return requestingNode(context, {
      dataRequest: (record, env) => {
        const id = read ? read(record, env) : record.recordId;
        return isBlank(id) ? null : { kind: "externalId", connectorId, entity, recordId: textOf(id) };
      },
      result: ([link]) => link?.["externalId"] ?? null,
    });
  },
  examples: [
    {
      says: "of a record given by its id",
      config: { ...config, recordId: RECORD },
      requests: [{ kind: "externalId", connectorId: "crm", entity: "contact", recordId: RECORD }],
      answers: [{ ok: true, found: [{ externalId: "7" }] }],
      out: "7",
    },
    {
      says: "blank where that system does not know it",
      config: { ...config, recordId: RECORD },
      answers: [{ ok: true, found: [] }],
      out: null,
    },
    { says: "a record that is new has none yet", config, record: { values: {} }, requests: [], out: null },
    {
      says: "what is no record id is known nowhere",
      config: { ...config, recordId: "Acme" },
      answers: [{ ok: true, found: [] }],
      out: null,
    },
  ],
};
