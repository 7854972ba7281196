/** The form of a function or action, generated from its input definitions. */
import { Skeleton } from "@mantine/core";
import { lookUpTokens, type FunctionDescription } from "@accord/contracts/sync/pipelines";
import { useEffect } from "react";
import { ConfigForm } from "../../../../shared/config-form/config-form.tsx";
import { useEndpoint } from "../../../../app/queries.ts";
import { useEditor } from "../editor-context.tsx";
import { useCoreEntity } from "../queries.ts";
import type { NodeFormProps } from "./configure-panel.tsx";

export function FunctionForm({ definition, ...form }: NodeFormProps & { definition: FunctionDescription | undefined }) {
  const graph = useEditor((state) => state.graph);
  const entity = useCoreEntity(form.entityId);
  const tokens = useEndpoint(
    lookUpTokens,
    { params: { nodeId: form.node.id }, body: { entityId: form.entityId, nodes: graph.nodes, edges: graph.edges } },
    { staleTime: 60_000 },
  );
  const { onErrors } = form;
  useEffect(() => () => onErrors(0), [onErrors]);
  if (!definition) return <Skeleton height={120} radius="md" />;
  return (
    <ConfigForm
      inputs={definition.inputs}
      values={form.configuration}
      onChange={(values) => form.onChange({ ...form.configuration, ...values })}
      onErrors={onErrors}
      readOnly={form.readOnly}
      fields={entity.data?.fields ?? []}
      tokens={tokens.data?.groups ?? []}
    />
  );
}
