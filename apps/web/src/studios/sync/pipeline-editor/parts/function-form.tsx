/** The form of a function or action, generated from its input definitions. */
import { Skeleton } from "@mantine/core";
import { lookUpTokens, type FunctionDescription } from "@accord/contracts/sync/palette";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import { listEntities } from "@accord/contracts/data/core-schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { NodeConfiguration } from "@accord/contracts/sync/graph";
import { useEffect } from "react";
import { ConfigForm } from "../../../../shared/config-form/config-form.tsx";
import { useEndpoint } from "../../../../app/queries.ts";
import { useEditor } from "../editor-context.tsx";
import { loadNodeOptions, withCases } from "../node-options.ts";
import { useCoreEntity } from "../queries.ts";
import type { NodeFormProps } from "./node-form-props.ts";

const OTHER_ENTITY = "coreEntityFields";

/** Fields of the entity that another input names: what a condition on its records asks about. */
function fieldsOfChosen(
  input: InputDefinition,
  configuration: NodeConfiguration,
  entities: readonly CoreEntity[],
): CoreEntity["fields"] | undefined {
  if (input.dependsOn?.dependantType !== OTHER_ENTITY) return undefined;
  const chosen = configuration[input.dependsOn.dependantField];
  return entities.find((entity) => entity.apiName === chosen)?.fields ?? [];
}

export function FunctionForm({ definition, ...form }: NodeFormProps & { definition: FunctionDescription | undefined }) {
  const graph = useEditor((state) => state.graph);
  const entity = useCoreEntity(form.entityId);
  const tokens = useEndpoint(
    lookUpTokens,
    { params: { nodeId: form.node.id }, body: { entityId: form.entityId, nodes: graph.nodes, edges: graph.edges } },
    { staleTime: 60_000 },
  );
  const asksElsewhere = definition?.inputs.some((input) => input.dependsOn?.dependantType === OTHER_ENTITY) === true;
  const entities = useEndpoint(listEntities, { query: {} }, { enabled: asksElsewhere });
  const { onErrors } = form;
  useEffect(() => () => onErrors(0), [onErrors]);
  if (!definition) return <Skeleton height={120} radius="md" />;
  return (
    <ConfigForm
      inputs={withCases(definition.inputs, graph, form.node.id)}
      values={form.configuration}
      onChange={(values) => form.onChange({ ...form.configuration, ...values })}
      onErrors={onErrors}
      readOnly={form.readOnly}
      fields={entity.data?.fields ?? []}
      fieldsFor={(input) => fieldsOfChosen(input, form.configuration, entities.data?.entities ?? [])}
      loadOptions={loadNodeOptions}
      tokens={tokens.data?.groups ?? []}
    />
  );
}
