/** Over the published graph: which cycle its numbers are of. */
import { RelativeTime } from "@accord/ui";
import { Panel } from "@xyflow/react";
import { useWords } from "../../../../app/words.ts";
import { useShownFlow } from "./flow-context.tsx";

export function FlowNote() {
  const { t } = useWords("sync");
  const flow = useShownFlow();
  if (!flow) return null;
  const { counts, isRunning, finishedAt } = flow;
  return (
    <Panel position="bottom-left" className="ac-flow-note">
      {isRunning ? t("flow.running") : counts ? t("flow.last") : t("flow.none")}
      {counts && finishedAt ? (
        <>
          {" "}
          <RelativeTime at={finishedAt} />
        </>
      ) : null}
    </Panel>
  );
}
