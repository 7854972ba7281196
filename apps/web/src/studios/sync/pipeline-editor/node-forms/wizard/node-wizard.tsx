/** A node that is configured in steps, over the full width: each step asks the server for its inputs, the last one applies all. */
import type { Id } from "@accord/contracts";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { listNodeSteps, type NodeStep } from "@accord/contracts/sync/node-steps";
import { nodeTitle } from "@accord/sync-engine/graph";
import { ErrorBox, WizardFrame } from "@accord/ui";
import { Button, Loader } from "@mantine/core";
import { useState } from "react";
import { useEndpoint } from "../../../../../app/queries.ts";
import { useWords } from "../../../../../app/words.ts";
import { FormDrawer } from "../../../../../shared/unsaved-changes/form-overlays.tsx";
import { useIsChanged, useUnsavedChanges } from "../../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { useEditor, useLocked } from "../../editor-context.tsx";
import { StepBody } from "./step-body.tsx";
import { useFinish } from "./use-finish.ts";
import { type StepValues, stepValues, withStepValues } from "./wizard-values.model.ts";
import { RefusalBox } from "../../../../../shared/refusal/refusal-box.tsx";
import "./node-wizard.css";

interface Props {
  entityId: Id<"entity">;
  node: GraphNode;
  save: () => Promise<boolean>;
  onClose: () => void;
}

export function NodeWizard(props: Props) {
  const { t } = useWords("sync");
  return (
    <FormDrawer
      opened
      onClose={props.onClose}
      position="right"
      size="100%"
      closeOnClickOutside={false}
      title={t("steps.title", { name: nodeTitle(props.node) })}
      closeButtonProps={{ "aria-label": t("steps.close") }}
    >
      <Steps {...props} />
    </FormDrawer>
  );
}

/** Which step is shown, what was answered so far, and going to another one. */
function useSteps({ entityId, node }: Pick<Props, "entityId" | "node">) {
  const nodes = useEditor((state) => state.graph.nodes);
  const [values, setValues] = useState<StepValues>(() => stepValues(node.configuration));
  // Esc and the cross ask before they lose what was answered; Cancel says so itself.
  useUnsavedChanges(useIsChanged(values));
  // What was answered before a step decides what that step asks for.
  const [asked, setAsked] = useState<{ nodes: typeof nodes; stepId?: string }>({ nodes });
  const [reached, setReached] = useState<string>();
  const [form, setForm] = useState({ errors: 0, isShowingAll: false });
  const reply = useEndpoint(listNodeSteps, { params: { entityId, nodeId: node.id }, body: asked }, { retry: false });
  const [known, setKnown] = useState<readonly NodeStep[]>([]);
  const steps = reply.data?.steps ?? known;
  const found = steps.findIndex(({ id }) => id === asked.stepId);
  const at = Math.max(0, found);
  const configuration = withStepValues(node.configuration, values);
  const go = (stepId: string) => {
    if (form.errors > 0) return setForm({ ...form, isShowingAll: true });
    setKnown(steps);
    setReached((old) => (steps.findIndex(({ id }) => id === old) > at ? old : steps[at + 1]?.id));
    setForm({ errors: 0, isShowingAll: false });
    setAsked({
      nodes: nodes.map((each) => (each.id === node.id && configuration ? { ...each, configuration } : each)),
      stepId,
    });
  };
  return { reply, steps, at, reached, values, setValues, configuration, form, setForm, go };
}

function Steps({ entityId, node, save, onClose }: Props) {
  const { t } = useWords("sync");
  const readOnly = useLocked();
  const state = useSteps({ entityId, node });
  const { reply, steps, at, configuration, form, setForm, go } = state;
  const finish = useFinish({ entityId, node, save, onDone: onClose });
  const [previous, step, next] = [steps[at - 1], steps[at], steps[at + 1]];
  if (!step) return <StepState query={reply} />;
  const words = { ...usualWords(t), ...step.buttons };
  const isClosing = step.closeOnly || (readOnly && !next);
  const apply = () => {
    if (configuration) finish.mutate(configuration);
  };
  return (
    <WizardFrame
      steps={steps.map(({ id, title }) => ({ id, label: title }))}
      current={step.id}
      {...(state.reached ? { reached: state.reached } : {})}
      onStep={go}
      onBack={previous && !step.closeOnly ? () => go(previous.id) : undefined}
      backLabel={words.previous}
      nextLabel={isClosing ? t("steps.close") : next ? words.next : words.finish}
      onNext={isClosing ? onClose : next ? () => go(next.id) : apply}
      busy={finish.isPending}
      nextDisabled={!isClosing && (reply.data === undefined || (!next && !configuration))}
      footer={isClosing ? null : <StepFooter words={words.cancel} note={step.footer} onCancel={onClose} />}
    >
      {step.lead ? <p className="ac-dialog__lead">{step.lead}</p> : null}
      {finish.error ? <RefusalBox error={finish.error} /> : null}
      {!next && !configuration ? <ErrorBox message={t("steps.incomplete")} /> : null}
      {reply.data ? (
        <StepBody
          {...{ entityId, node, readOnly, step, configuration, values: state.values }}
          inputs={reply.data.inputs}
          isReview={!next}
          showAll={form.isShowingAll}
          onValues={state.setValues}
          onErrors={(errors) => setForm((old) => (old.errors === errors ? old : { ...old, errors }))}
        />
      ) : (
        <StepState query={reply} />
      )}
    </WizardFrame>
  );
}

const usualWords = (t: ReturnType<typeof useWords<"sync">>["t"]) => ({
  cancel: t("steps.cancel"),
  previous: t("steps.previous"),
  next: t("steps.next"),
  finish: t("steps.finish"),
});

function StepFooter({ words, note, onCancel }: { words: string; note: string | null; onCancel: () => void }) {
  return (
    <span className="ac-node-wizard__footer">
      <Button variant="default" onClick={onCancel}>
        {words}
      </Button>
      {note ? <span>{note}</span> : null}
    </span>
  );
}

/** While a step loads, and where it can't be loaded. */
function StepState({ query }: { query: Pick<ReturnType<typeof useEndpoint>, "error" | "isError" | "refetch"> }) {
  const { t } = useWords("sync");
  return query.isError ? (
    <RefusalBox error={query.error} onRetry={() => void query.refetch()} />
  ) : (
    <Loader className="ac-node-wizard__loader" aria-label={t("steps.loading")} role="status" />
  );
}
