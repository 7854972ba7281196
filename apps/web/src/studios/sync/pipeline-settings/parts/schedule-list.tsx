/** When the sources of a pipeline are read, each leading to its node, where that is changed. */
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { isSource, nodeTitle } from "@accord/sync-engine/graph";
import { SkeletonBlock } from "@accord/ui";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { scheduleWords } from "../../graph-words/setting-words.ts";
import { sourceForm } from "../../pipeline-editor/node-forms/source-options.model.ts";
import { useOpenedGraph } from "../../pipeline-editor/queries.ts";

export function ScheduleList({ row }: { row: PipelineRow }) {
  const { t } = useWords("sync");
  // What is drawn is what can be changed.
  const version = row.pipelineStatus === "PUBLISHED" ? "published" : "draft";
  const opened = useOpenedGraph(row.id, version);
  return (
    <QueryView query={opened} skeleton={<SkeletonBlock width="50%" />}>
      {({ graph }) => {
        const sources = graph.nodes.filter(isSource);
        if (sources.length === 0) return <p>{t("settings.noSources")}</p>;
        return (
          <ul className="ac-pipeline-settings__schedules">
            {sources.map((node) => (
              <li key={node.id}>
                <strong>{nodeTitle(node)}</strong>
                <span>{scheduleWords(sourceForm(node.configuration), { t })}</span>
                <Link
                  to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
                  params={{ entityId: row.id, graphVersion: version }}
                  search={{ focusNodeId: node.id }}
                  aria-label={`${t("settings.changeInGraph")}: ${nodeTitle(node)}`}
                >
                  {t("settings.changeInGraph")}
                </Link>
              </li>
            ))}
          </ul>
        );
      }}
    </QueryView>
  );
}
