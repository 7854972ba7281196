/** A node that is configured in steps, over the full width: each step asks the server for its inputs, the last one applies all. */
import type { Id } from "@accord/contracts";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { listNodeSteps, type NodeStep } from "@accord/contracts/sync/node-steps";
import { nodeTitle } from "@accord/sync-engine/graph";
import { ErrorBox, WizardFrame } from "@accord/ui";
import { Button, Loader } from "@mantine/core";
import { useState } from "react";
import { wordsOf } from "../../../../../app/api-error.ts";
import { useEndpoint } from "../../../../../app/queries.ts";
import { useWords } from "../../../../../app/words.ts";
import { FormDrawer } from "../../../../../shared/unsaved-changes/form-overlays.tsx";
import { useIsChanged, useUnsavedChanges } from "../../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { useEditor, useLocked } from "../../editor-context.tsx";
import { StepBody } from "./step-body.tsx";
import { useFinish } from "./use-finish.ts";
import { type StepValues, stepValues, withStepValues } from "./wizard-values.model.ts";
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

function Steps({ entityId, node, save, onClose }: Props) {
  const { t } = useWords("sync");
  const nodes = useEditor((state) => state.graph.nodes);
  const readOnly = useLocked();
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
  const finish = useFinish({ entityId, node, save, onDone: onClose });
  const at = Math.max(
    0,
    steps.findIndex(({ id }) => id === asked.stepId),
  );
  const step = steps[at];
  const configuration = withStepValues(node.configuration, values);

  const go = (stepId: string) => {
    setKnown(steps);
    setReached((old) => (steps.findIndex(({ id }) => id === old) > at ? old : steps[at + 1]?.id));
    setForm({ errors: 0, isShowingAll: false });
    setAsked({
      nodes: nodes.map((each) => (each.id === node.id && configuration ? { ...each, configuration } : each)),
      stepId,
    });
  };
  if (!step) return <StepState query={reply} />;
  const next = steps[at + 1];
  const onNext = () => {
    if (form.errors > 0) return setForm({ ...form, isShowingAll: true });
    if (next) go(next.id);
    else if (configuration) finish.mutate(configuration);
  };
  const words = {
    cancel: t("steps.cancel"),
    previous: t("steps.previous"),
    next: t("steps.next"),
    finish: t("steps.finish"),
    ...step.buttons,
  };
  const previous = steps[at - 1];
  const isClosing = step.closeOnly || (readOnly && !next);
  return (
    <WizardFrame
      steps={steps.map(({ id, title }) => ({ id, label: title }))}
      current={step.id}
      {...(reached ? { reached } : {})}
      onStep={(id) => (form.errors > 0 ? setForm({ ...form, isShowingAll: true }) : go(id))}
      onBack={previous && !step.closeOnly ? () => go(previous.id) : undefined}
      backLabel={words.previous}
      nextLabel={isClosing ? t("steps.close") : next ? words.next : words.finish}
      onNext={isClosing ? onClose : onNext}
      busy={finish.isPending}
      nextDisabled={!isClosing && (reply.data === undefined || (!next && !configuration))}
      footer={
        isClosing ? null : (
          <span className="ac-node-wizard__footer">
            <Button variant="default" onClick={onClose}>
              {words.cancel}
            </Button>
            {step.footer ? <span>{step.footer}</span> : null}
          </span>
        )
      }
    >
      {step.lead ? <p className="ac-dialog__lead">{step.lead}</p> : null}
      {finish.error ? <ErrorBox message={wordsOf(finish.error)} /> : null}
      {!next && !configuration ? <ErrorBox message={t("steps.incomplete")} /> : null}
      {reply.data ? (
        <StepBody
          {...{ entityId, node, values, readOnly, step }}
          inputs={reply.data.inputs}
          configuration={configuration}
          isReview={!next}
          showAll={form.isShowingAll}
          onValues={setValues}
          onErrors={(errors) => setForm((old) => (old.errors === errors ? old : { ...old, errors }))}
        />
      ) : (
        <StepState query={reply} />
      )}
    </WizardFrame>
  );
}

/** While a step loads, and where it can't be loaded. */
function StepState({ query }: { query: Pick<ReturnType<typeof useEndpoint>, "error" | "isError" | "refetch"> }) {
  const { t } = useWords("sync");
  return query.isError ? (
    <ErrorBox message={wordsOf(query.error)} onRetry={() => void query.refetch()} />
  ) : (
    <Loader className="ac-node-wizard__loader" aria-label={t("steps.loading")} role="status" />
  );
}
