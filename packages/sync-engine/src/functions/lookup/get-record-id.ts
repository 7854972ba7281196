/** Get record id from external id. */
import { isBlank, textOf } from "@accord/expressions";
import { z } from "zod";
import { requestingNode } from "../kinds/data-request-function.ts";
import { type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { PLACE_CONFIG, ENDPOINT_INPUTS } from "../kinds/place.ts";
import { compileInput } from "../kinds/value-function.ts";

const Config = z.looseObject({ ...PLACE_CONFIG });
const config = { connectorId: "crm", entity: "contact" };

export const getRecordId: FunctionDefinition = {
  name: "getRecordId",
  label: "Get record id from external id",
  family: "lookup",
  summary: "Gives the id of the record that a connected system knows under an id of its own.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    input({
      name: "value",
      label: "External id",
      datatype: "text",
      allowUserToken: true,
      helpText: "Text and tokens. Leave it empty to use the result of the step before.",
    }),
    ...ENDPOINT_INPUTS.map(input),
  ],
  edgeTypes: null,
  output: "reference",
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  compile: (configuration, context) => {
    const { connectorId, entity } = Config.parse(configuration);
    const read = compileInput(configuration["value"], context, "value");
    return requestingNode(context, {
      dataRequest: (record, env) => {
        const id = read(record, env);
        return isBlank(id) ? null : { kind: "recordId", connectorId, entity, externalId: textOf(id) };
      },
      result: ([link]) => link?.["accordId"] ?? null,
    });
  },
  examples: [
    {
      says: "the record behind an id",
      config,
      in: 7,
      requests: [{ kind: "recordId", connectorId: "crm", entity: "contact", externalId: "7" }],
      answers: [{ ok: true, found: [{ accordId: "0123456789abcdef01234567" }] }],
      out: "0123456789abcdef01234567",
    },
    { says: "blank while that record has not arrived", config, in: "8", answers: [{ ok: true, found: [] }], out: null },
    { says: "blank asks nothing", config, in: null, requests: [], out: null },
  ],
};
