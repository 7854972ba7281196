/** Lookup external record. */
import { isBlank } from "@accord/expressions";
import { z } from "zod";
import { requestingNode } from "../kinds/data-request-function.ts";
import { type FunctionDefinition, input, schemaIssues } from "../define.ts";
import { asValue, CHOICE_CONFIG, CHOICE_INPUTS, chosen, limitFor } from "../kinds/lookup.ts";
import { ENDPOINT_INPUTS, OBJECT_FIELDS, PLACE_CONFIG } from "../kinds/place.ts";
import { compileInput } from "../kinds/value-function.ts";

const Config = z.looseObject({ ...PLACE_CONFIG, field: z.string().default(""), value: z.any(), ...CHOICE_CONFIG });
const config = { connectorId: "crm", entity: "contact", field: "email", value: "{{previous.values.Name}}" };

export const lookupExternalRecord: FunctionDefinition = {
  name: "lookupExternalRecord",
  label: "Lookup external record",
  family: "lookup",
  summary: "Reads a record live from a connected system and gives its fields as tokens; not done in simulated tests.",
  levels: ["entity", "field"],
  sourceSideOnly: false,
  inputs: [
    ...ENDPOINT_INPUTS.map(input),
    input({
      name: "field",
      label: "Field",
      datatype: "picklist",
      allowClear: true,
      hideTokenPicker: true,
      dependsOn: OBJECT_FIELDS,
      helpText: "The field to search by. Empty: the record's id there.",
    }),
    input({
      name: "value",
      label: "Value",
      datatype: "text",
      required: true,
      allowUserToken: true,
      helpText: "A blank value finds nothing.",
    }),
    ...CHOICE_INPUTS.map(input),
  ],
  edgeTypes: null,
  output: "object",
  check: (configuration) => schemaIssues(Config, configuration, (name) => name === "value"),
  compile: (configuration, context) => {
    const settings = Config.parse(configuration);
    const read = compileInput(settings.value, context, "value");
    return requestingNode(context, {
      dataRequest: (record, env) => {
        const value = read(record, env);
        if (isBlank(value)) return null;
        const { connectorId, entity, field } = settings;
        return { kind: "externalRecords", connectorId, entity, field, value, limit: limitFor(settings) };
      },
      result: (found) => asValue(chosen(found, settings)),
      otherwise: () => asValue(chosen([], settings)),
    });
  },
  examples: [
    {
      says: "the record with this value",
      config,
      record: { values: { Name: "ann@example.org" } },
      requests: [
        {
          kind: "externalRecords",
          connectorId: "crm",
          entity: "contact",
          field: "email",
          value: "ann@example.org",
          limit: 1,
        },
      ],
      answers: [{ ok: true, found: [{ externalId: "7", email: "ann@example.org" }] }],
      out: { externalId: "7", email: "ann@example.org" },
    },
    {
      says: "blank where there is none",
      config,
      record: { values: { Name: "x" } },
      answers: [{ ok: true, found: [] }],
      out: null,
    },
    { says: "a blank value asks nothing", config, record: { values: { Name: "" } }, requests: [], out: null },
    {
      says: "what the system answers instead stops the record",
      config,
      record: { values: { Name: "x" } },
      answers: [{ ok: false, code: "lookup_unsupported", message: "contact can't be searched by email." }],
      fails: "lookup_unsupported",
    },
    { says: "a field without a value asks nothing either", config, record: { values: {} }, requests: [], out: null },
  ],
};
