/** What compiling the nodes of a pipeline may know of it, and which of its values are secret. */
import type { Graph } from "@accord/contracts/sync/graph";
import { isSecretField } from "@accord/expressions";
import { type SecretNames, secretResults } from "../../actions/secret-results.ts";
import { type CompileContext, compileContext } from "../../functions/context.ts";
import type { CompileInput } from "../plan/compile-input.ts";
import { secretConnectorFields } from "../plan/secret-fields.ts";

export function pipelineContext(
  graph: Graph,
  facts: CompileInput,
): { context: CompileContext; secretNames: SecretNames } {
  const passwords = new Set(facts.coreFields.filter(isSecretField).map(({ apiName }) => apiName));
  const mapped = secretConnectorFields(graph, facts.fieldGraphs ?? new Map(), passwords).values();
  const secretNames: SecretNames = {
    mapped: [...[...mapped].flatMap((names) => [...names]), ...(facts.secretNames ?? [])],
    elsewhere: facts.secretFieldsOf ?? new Map(),
  };
  const context = compileContext(graph, {
    coreFields: new Map(facts.coreFields.map((field) => [field.apiName, field])),
    sources: facts.places.map((place) => ({
      connector: place.connectorName,
      entity: place.schema.apiName,
      fields: new Map(place.schema.fields.map((field) => [field.apiName, field])),
    })),
    timeZone: facts.timeZone,
    pipelineName: facts.pipelineName,
    instanceName: facts.instanceName,
  });
  return { context: { ...context, secrets: secretResults(graph, context, secretNames) }, secretNames };
}
