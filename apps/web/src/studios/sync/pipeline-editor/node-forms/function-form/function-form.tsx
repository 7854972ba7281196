/** The form of a function or action, generated from its input definitions. */
import { ErrorBox } from "@accord/ui";
import { Button, Skeleton } from "@mantine/core";
import { lookUpTokens, type FunctionDescription } from "@accord/contracts/sync/palette";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { Graph, NodeConfiguration } from "@accord/contracts/sync/graph";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ConfigForm } from "../../../../../shared/config-form/config-form.tsx";
import { endpointQuery } from "../../../../../app/queries.ts";
import { useWords } from "../../../../../app/words.ts";
import { TokenSamplesProvider } from "../../../../../shared/token-picker/token-samples.tsx";
import { useEditor, useEditorStore } from "../../editor-context.tsx";
import { changedField, formKey } from "../../inputs/invalid-inputs.ts";
import { useFieldsOf } from "./fields-of-input.ts";
import { loadNodeOptions, withCases } from "./node-options.ts";
import { useCoreEntity } from "../../queries.ts";
import { useNodeSamples } from "../../try/use-node-samples.ts";
import type { InputProblems } from "./input-problems.ts";
import { unreadableInputs } from "./stored-configuration.ts";
import type { NodeFormProps } from "../node-form-props.ts";
import { RefusalBox } from "../../../../../shared/refusal/refusal-box.tsx";

const ASK_DELAY_MS = 400;
const numbers = new WeakMap<Graph, number>();
let graphs = 0;

/** Names a graph in the key of a query: the graph itself would be made text with each drawing of a form. */
function numberOf(graph: Graph): number {
  const known = numbers.get(graph) ?? ++graphs;
  numbers.set(graph, known);
  return known;
}

const NO_INPUTS: readonly InputDefinition[] = [];

/** The configuration with the form's values; those that were cleared are gone. */
function withoutUndefined(configuration: NodeConfiguration, values: Record<string, unknown>): NodeConfiguration {
  const cleared = Object.keys(configuration).filter((name) => !(name in values));
  const next: NodeConfiguration = { ...configuration, ...values };
  for (const name of cleared) delete next[name];
  return next;
}

export interface FunctionFormProps extends NodeFormProps {
  definition: FunctionDescription | undefined;
  /** There is none, and none is on its way. */
  isMissing?: boolean;
  /** What is wrong with single inputs, by name. */
  problems?: InputProblems;
}

export function FunctionForm({ definition, isMissing = false, problems, ...form }: FunctionFormProps) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const graph = useEditor((state) => state.graph);
  const invalidInputs = useEditor((state) => state.invalidInputs);
  const entity = useCoreEntity(form.entityId);
  // Typing changes the graph with each key, and hardly ever what may be used here.
  const [asked] = useDebouncedValue(graph, ASK_DELAY_MS);
  const params = { nodeId: form.node.id };
  const body = { entityId: form.entityId, nodes: asked.nodes, edges: asked.edges };
  const tokens = useQuery({
    ...endpointQuery(lookUpTokens, { params, body }),
    queryKey: [lookUpTokens.name, params, form.entityId, numberOf(asked)],
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    enabled: asked.nodes.some(({ id }) => id === form.node.id),
  });
  const fieldsFor = useFieldsOf(definition?.inputs ?? NO_INPUTS, form.configuration);
  const samples = useNodeSamples(form.node);
  if (!definition)
    return isMissing ? (
      <ErrorBox
        title={t("configure.unexpectedConfiguration")}
        message={t("configure.unknownFunction", { name: form.node.apiName ?? "" })}
      />
    ) : (
      <Skeleton height={120} radius="md" />
    );
  if (definition.inputs.length === 0) return <ErrorBox tone="info" message={t("configure.noConfiguration")} />;
  const unreadable = unreadableInputs(definition.inputs, form.configuration);
  if (unreadable.length > 0) return <Unreadable {...form} inputs={unreadable} />;
  return (
    <TokenSamplesProvider value={samples}>
      {tokens.isError ? <RefusalBox title={t("configure.tokensMissing")} error={tokens.error} /> : null}
      <ConfigForm
        inputs={withCases(definition.inputs, graph, form.node.id)}
        values={form.configuration}
        onChange={(values) =>
          form.onChange(withoutUndefined(form.configuration, values), {
            field: changedField(form.configuration, values),
          })
        }
        readOnly={form.readOnly}
        problems={problems}
        showAll={form.showAll ?? false}
        onErrors={(count) => form.onErrors?.(definition.inputs.map(({ name }) => name).join(" "), count)}
        fields={entity.data?.fields ?? []}
        fieldsFor={fieldsFor}
        invalidOf={(name) => {
          const key = formKey(form.node.id, `input ${name}`);
          return { values: invalidInputs[key], keep: (values) => store.getState().keepInvalid(key, values) };
        }}
        loadOptions={loadNodeOptions}
        tokens={tokens.data?.groups ?? []}
      />
    </TokenSamplesProvider>
  );
}

/** Settings that no input can show; what else is set stays. */
function Unreadable({
  inputs,
  configuration,
  readOnly,
  onChange,
}: NodeFormProps & { inputs: readonly InputDefinition[] }) {
  const { t } = useWords("sync");
  const rest: NodeConfiguration = { ...configuration };
  for (const { name } of inputs) delete rest[name];
  return (
    <ErrorBox
      title={t("configure.unexpectedConfiguration")}
      message={t("configure.unreadable", { inputs: inputs.map(({ label }) => label).join(", ") })}
      actions={
        readOnly ? null : (
          <Button size="xs" variant="default" onClick={() => onChange(rest)}>
            {t("configure.clearUnreadable")}
          </Button>
        )
      }
    />
  );
}
