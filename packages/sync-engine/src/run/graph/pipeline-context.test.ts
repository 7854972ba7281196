/** Which of a pipeline's values are secret: those of passwords, under the names that connectors have for them, and no others. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { expect, test } from "vitest";
import { core, CRM, graphOf, source } from "../../graph/graph.fixtures.ts";
import { pipelineContext } from "./pipeline-context.ts";

test("the columns of passwords are secret, those of other fields are not", () => {
  const field = (apiName: string, more: object = {}) => FieldSchema.parse({ apiName, displayName: apiName, ...more });
  const fieldMappings = [
    { connectorField: "name", coreField: "Name" },
    { connectorField: "pin", coreField: "Pin" },
  ];
  const configuration = { connectorId: CRM, entityDefinition: "company", fieldMappings };
  const graph = graphOf([{ ...source("crm"), configuration }, core()] as Parameters<typeof graphOf>[0], ["crm>core"]);
  const secretOf = (pin: object, secretNames?: readonly string[]) =>
    pipelineContext(graph, {
      pipelineId: "p",
      versionId: "v",
      versionNumber: 1,
      pipelineName: "Account",
      instanceName: "Test",
      timeZone: "UTC",
      coreFields: [field("Name"), field("Pin", pin)],
      places: [],
      ...(secretNames ? { secretNames } : {}),
    }).secretNames.mapped;
  expect(secretOf({ dataType: "password" })).toEqual(["pin"]);
  expect(secretOf({})).toEqual([]);
  expect(secretOf({ dataType: "password" }, ["token"]), "beside those known from elsewhere").toEqual(["pin", "token"]);
});
