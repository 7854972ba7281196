/**
 * The docked panel that configures one node: what it is for, words common to all, then the form of its kind. Each edit
 * applies at once; Cancel takes back those made since it was opened.
 */
import { ErrorBox, SidePanel } from "@accord/ui";
import { Button, Skeleton, Textarea, TextInput } from "@mantine/core";
import { IconListNumbers } from "@tabler/icons-react";
import type { Id } from "@accord/contracts";
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import { changeNode, isBypassed, nodeTitle, type NodeChange } from "@accord/sync-engine/graph";
import { useDeferredValue, useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditor, useEditorStore, useLocked } from "../editor-context.tsx";
import { nodeOf } from "../editor.model.ts";
import { formKey, LABEL_FORM } from "../inputs/invalid-inputs.ts";
import { CustomActionForm } from "../custom-action/custom-action-form.tsx";
import { usePalette } from "../queries.ts";
import { NodeIo } from "../try/node-io.tsx";
import { useMayTry } from "../try/try-context.tsx";
import { ConfigureFooter, useClosing } from "./configure-footer.tsx";
import { PanelWidthSwitch, usePanelWidth } from "./panel-width.tsx";
import { CoreForm } from "./core-form.tsx";
import { CoreFieldForm, FieldNodeForm } from "./field-node-form.tsx";
import { FunctionForm } from "./function-form/function-form.tsx";
import { hasFunctionForm, problemsByInput, shownInputs } from "./function-form/input-problems.ts";
import type { NodeFormProps } from "./node-form-props.ts";
import { NodeWizard } from "./wizard/node-wizard.tsx";
import { PlaceForm } from "./place-form.tsx";

interface Props {
  entityId: Id<"entity">;
  /** Sends the draft at once. */
  save: () => Promise<boolean>;
}

export function ConfigurePanel({ entityId, save }: Props) {
  const id = useEditor((state) => state.selected[0]);
  const node = useEditor((state) => state.graph.nodes.find((candidate) => candidate.id === id));
  const replaced = useEditor((state) => state.replaced);
  // Undo changes what forms stand for: they begin anew with it.
  return node ? <ConfigureNode key={`${node.id} ${replaced}`} {...{ entityId, node, save }} /> : null;
}

function ConfigureNode({ entityId, node, save }: Props & { node: GraphNode }) {
  const { t } = useWords("sync");
  const readOnly = useLocked();
  const store = useEditorStore();
  const problems = useEditor((state) => state.problems);
  const palette = usePalette(entityId);
  const mayTry = useMayTry();

  const definition = [...(palette.data?.functions ?? []), ...(palette.data?.actions ?? [])].find(
    (item) => item.name === node.apiName,
  );
  // The panel is there at once; its form, which takes longest, comes in a task of its own.
  const isFormDue = useDeferredValue(true, false);
  const [errors, setErrors] = useState<Readonly<Record<string, number>>>({});
  const [showAll, setShowAll] = useState(false);
  const [width, setWidth] = usePanelWidth();
  const close = useClosing(node.id);
  const [isInSteps, setInSteps] = useState(false);
  const change = (part: NodeChange, field: string) =>
    store.getState().edit((graph) => changeNode(graph, node.id, part), `${node.id} ${field}`);
  const { atInputs, others } = problemsByInput(
    nodeTitle(node),
    (problems ?? []).filter((problem) => problem.nodeId === node.id),
    definition && hasFunctionForm(node) ? shownInputs(definition.inputs, node.configuration) : [],
  );
  const form: NodeFormProps = {
    entityId,
    node,
    configuration: node.configuration,
    readOnly,
    showAll,
    onErrors: (part, count) => setErrors((old) => (old[part] === count ? old : { ...old, [part]: count })),
    onChange: (configuration, about) => change({ configuration, ...about?.words }, about?.field ?? crypto.randomUUID()),
  };
  const title = definition?.label ?? node.displayName ?? nodeTitle(node);
  return (
    <SidePanel
      title={t("configure.title", { name: title })}
      subtitle={isBypassed(node) ? t("flow.bypass.card") : undefined}
      width={width}
      actions={<PanelWidthSwitch width={width} onChange={setWidth} />}
      onClose={close}
      bar={mayTry ? <NodeIo node={node} /> : null}
      footer={
        <ConfigureFooter
          node={node}
          hasErrors={Object.values(errors).some((count) => count > 0)}
          onRefused={() => setShowAll(true)}
          onClose={close}
          save={save}
        />
      }
    >
      {/* Leaving an input ends its undo step. */}
      <div className="ac-configure" data-node-id={node.id} onBlur={() => store.getState().endStep()}>
        {definition ? <NodeHelp definition={definition} /> : null}
        {node.nodeType === "CORE_ENTITY" ? (
          <Button variant="default" leftSection={<IconListNumbers size={16} />} onClick={() => setInSteps(true)}>
            {t("steps.open")}
          </Button>
        ) : null}
        {isInSteps ? (
          <NodeWizard entityId={entityId} node={node} save={save} onClose={() => setInSteps(false)} />
        ) : null}
        {others.map((problem) => (
          <ErrorBox key={`${problem.code} ${problem.targetId}`} message={problem.errorMessage} />
        ))}
        <LabelInput node={node} readOnly={readOnly} onLabel={(label) => change({ label }, "label")} />
        <Textarea
          label={t("configure.description")}
          value={node.description ?? ""}
          autosize
          minRows={1}
          maxRows={4}
          maxLength={1000}
          readOnly={readOnly}
          onChange={(event) => change({ description: event.currentTarget.value }, "description")}
        />
        <div className="ac-configure__own">
          {isFormDue ? (
            <NodeForm {...form} definition={definition} isMissing={palette.isSuccess} problems={atInputs} />
          ) : (
            <Skeleton height={120} radius="md" />
          )}
        </div>
      </div>
    </SidePanel>
  );
}

/** What the node is for, and where more is said about it. */
function NodeHelp({ definition }: { definition: FunctionDescription }) {
  const { t } = useWords("sync");
  const { label, helpSummary, helpLink } = definition;
  if (!helpSummary && !helpLink) return null;
  return (
    <div role="note" className="ac-configure__help" aria-label={t("configure.about", { name: label })}>
      <strong>{label}</strong> {helpSummary}{" "}
      {helpLink ? (
        <a href={helpLink} target="_blank" rel="noreferrer noopener">
          {t("configure.help")}
        </a>
      ) : null}
    </div>
  );
}

/** A label that is missing or taken stays as typed until the node gets another one, with what it is called meanwhile. */
export function LabelInput({
  node,
  readOnly,
  onLabel,
}: {
  node: GraphNode;
  readOnly: boolean;
  onLabel: (label: string) => void;
}) {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const key = formKey(node.id, LABEL_FORM);
  const invalid = useEditor((state) => state.invalidInputs[key]);
  // What is typed may end in a blank, which the label doesn't keep.
  const [typed, setTyped] = useState<{ text: string; label: string }>();
  const kept = typed?.label === node.label ? typed.text : invalid?.["label"];
  const text = typeof kept === "string" ? kept : node.label;
  const differs = text.trim() !== node.label;
  const error = !differs
    ? undefined
    : text.trim() === ""
      ? t("configure.labelMissing", { label: node.label })
      : t("configure.labelTaken", { label: node.label });
  return (
    <TextInput
      label={t("configure.label")}
      description={node.nodeType === "FUNCTION" ? t("configure.labelHint") : undefined}
      value={text}
      error={error}
      maxLength={120}
      required
      readOnly={readOnly}
      onChange={(event) => {
        const next = event.currentTarget.value;
        if (next.trim() !== "") onLabel(next);
        const label = nodeOf(store.getState(), node.id)?.label ?? node.label;
        setTyped({ text: next, label });
        store.getState().keepInvalid(key, next.trim() === label ? null : { label: next });
      }}
    />
  );
}

function NodeForm({ definition, isMissing, problems, ...form }: Parameters<typeof FunctionForm>[0]) {
  switch (form.node.nodeType) {
    case "ENTITY_SOURCE":
      return <PlaceForm {...form} side="source" />;
    case "ENTITY_SINK":
      return <PlaceForm {...form} side="sink" />;
    case "CORE_ENTITY":
      return <CoreForm {...form} />;
    case "ATTRIBUTE_SOURCE":
      return <FieldNodeForm {...form} type="SOURCE" />;
    case "ATTRIBUTE_SINK":
      return <FieldNodeForm {...form} type="SINK" />;
    case "CORE_ATTRIBUTE":
      return <CoreFieldForm {...form} />;
    default:
      return hasFunctionForm(form.node) ? (
        <FunctionForm {...form} definition={definition} isMissing={isMissing ?? false} problems={problems} />
      ) : (
        <CustomActionForm {...form} definition={definition} />
      );
  }
}
