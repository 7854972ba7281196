/** What one step asks for; the last one says how the node will be set. */
import type { Id } from "@accord/contracts";
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { GraphNode, NodeConfiguration } from "@accord/contracts/sync/graph";
import type { NodeStep } from "@accord/contracts/sync/node-steps";
import { nodeTitle } from "@accord/sync-engine/graph";
import { useWords } from "../../../../../app/words.ts";
import { ConfigForm } from "../../../../../shared/config-form/config-form.tsx";
import { settingsOf } from "../../../graph-words/setting-words.ts";
import { useGraphWords } from "../../../graph-words/use-graph-words.ts";
import { useEditor } from "../../editor-context.tsx";
import { useCoreEntity } from "../../queries.ts";
import type { StepValues } from "./wizard-values.model.ts";

interface Props {
  entityId: Id<"entity">;
  node: GraphNode;
  step: NodeStep;
  inputs: readonly InputDefinition[];
  values: StepValues;
  /** As it will be stored; undefined while it can't be. */
  configuration: NodeConfiguration | undefined;
  readOnly: boolean;
  isReview: boolean;
  showAll: boolean;
  onValues: (values: StepValues) => void;
  onErrors: (count: number) => void;
}

export function StepBody({ entityId, step, inputs, values, isReview, ...props }: Props) {
  const entity = useCoreEntity(entityId);
  if (isReview) return <Review entityId={entityId} {...props} />;
  return (
    <div className="ac-node-wizard__inputs" data-layout={step.layout}>
      <ConfigForm
        key={step.id}
        inputs={inputs}
        values={values}
        readOnly={props.readOnly}
        fields={entity.data?.fields ?? []}
        showAll={props.showAll}
        onChange={props.onValues}
        onErrors={props.onErrors}
      />
    </div>
  );
}

function Review({ entityId, node, configuration }: Pick<Props, "entityId" | "node" | "configuration">) {
  const { t } = useWords("sync");
  const words = useGraphWords(entityId);
  const nodes = useEditor((state) => state.graph.nodes);
  if (!words || !configuration) return null;
  const title = (nodeId: string): string => {
    const other = nodes.find(({ id }) => id === nodeId);
    return other ? nodeTitle(other) : nodeId;
  };
  return (
    <>
      <p>{t("steps.reviewLead")}</p>
      <dl className="ac-node-wizard__review">
        {settingsOf({ ...node, configuration }, { ...words, title }).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
