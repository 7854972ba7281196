/** The docked panel that configures one node: words common to all, then the form of its kind. Nothing changes until Save. */
import { ErrorBox, SidePanel } from "@accord/ui";
import { Anchor, Button, Group, Textarea, TextInput } from "@mantine/core";
import type { Id } from "@accord/contracts";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { changeNode, nodeTitle, removeNodes } from "@accord/sync-engine/graph";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditor, useReadOnly } from "../editor-context.tsx";
import { usePalette } from "../queries.ts";
import { CoreForm } from "./core-form.tsx";
import { FunctionForm } from "./function-form.tsx";
import type { NodeFormProps } from "./node-form-props.ts";
import { PlaceForm } from "./place-form.tsx";

export function ConfigurePanel({ entityId }: { entityId: Id<"entity"> }) {
  const id = useEditor((state) => state.selected[0]);
  const node = useEditor((state) => state.graph.nodes.find((candidate) => candidate.id === id));
  // A new selection is a new form: nothing typed for one node may land in another.
  return node ? <ConfigureNode key={node.id} entityId={entityId} node={node} /> : null;
}

function ConfigureNode({ entityId, node }: { entityId: Id<"entity">; node: GraphNode }) {
  const { t } = useWords("sync");
  const readOnly = useReadOnly();
  const edit = useEditor((state) => state.edit);
  const show = useEditor((state) => state.show);
  const problems = useEditor((state) => state.problems);
  const palette = usePalette(entityId);
  const [label, setLabel] = useState(node.label);
  const [description, setDescription] = useState(node.description ?? "");
  const [configuration, setConfiguration] = useState(node.configuration);
  const [extra, setExtra] = useState<{ subLabel?: string; connectorEntityName?: string }>({});
  const [errors, setErrors] = useState(0);

  const definition = [...(palette.data?.functions ?? []), ...(palette.data?.actions ?? [])].find(
    (item) => item.name === node.apiName,
  );
  const changed =
    label !== node.label || description !== (node.description ?? "") || configuration !== node.configuration;
  const close = () => show("none");
  const save = () => {
    edit((graph) => changeNode(graph, node.id, { label, description, configuration, ...extra }));
    close();
  };
  const own = (problems ?? []).filter((problem) => problem.nodeId === node.id);
  const form: NodeFormProps = {
    entityId,
    node,
    configuration,
    readOnly,
    onChange: (next, words) => {
      setConfiguration(next);
      if (words) setExtra((before) => ({ ...before, ...words }));
    },
    onErrors: setErrors,
  };
  const title = definition?.label ?? node.displayName ?? nodeTitle(node);
  return (
    <SidePanel
      title={t("configure.title", { name: title })}
      subtitle={definition?.helpSummary}
      width={420}
      onClose={close}
      footer={
        <Group gap={8} justify="flex-end" wrap="nowrap" w="100%">
          {node.nodeType === "CORE_ENTITY" || readOnly ? null : (
            <Anchor
              component="button"
              type="button"
              c="var(--ac-error)"
              mr="auto"
              onClick={() => edit((graph) => removeNodes(graph, new Set([node.id])))}
            >
              {t("configure.remove")}
            </Anchor>
          )}
          <Button variant="default" onClick={close}>
            {t("configure.cancel")}
          </Button>
          <Button
            onClick={save}
            disabled={readOnly || errors > 0 || !changed}
            title={errors > 0 ? t("configure.errors", { count: errors }) : undefined}
          >
            {t("configure.save")}
          </Button>
        </Group>
      }
    >
      <div className="ac-configure">
        {own.map((problem) => (
          <ErrorBox key={`${problem.code} ${problem.targetId}`} message={problem.errorMessage} />
        ))}
        <TextInput
          label={t("configure.label")}
          description={node.nodeType === "FUNCTION" ? t("configure.labelHint") : undefined}
          value={label}
          maxLength={120}
          required
          readOnly={readOnly}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Textarea
          label={t("configure.description")}
          value={description}
          autosize
          minRows={1}
          maxRows={4}
          maxLength={1000}
          readOnly={readOnly}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <NodeForm {...form} definition={definition} />
      </div>
    </SidePanel>
  );
}

function NodeForm({
  definition,
  ...form
}: NodeFormProps & { definition: Parameters<typeof FunctionForm>[0]["definition"] }) {
  switch (form.node.nodeType) {
    case "ENTITY_SOURCE":
      return <PlaceForm {...form} side="source" />;
    case "ENTITY_SINK":
      return <PlaceForm {...form} side="sink" />;
    case "CORE_ENTITY":
      return <CoreForm {...form} />;
    default:
      return <FunctionForm {...form} definition={definition} />;
  }
}
