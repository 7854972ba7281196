/** The last records that take a connection: what they are, and what the nodes before it made of their values. */
import { EmptyState, RelativeTime, SidePanel, TableSkeleton } from "@accord/ui";
import { listEdgeRecords, type EdgeRecord } from "@accord/contracts/sync/monitoring/flow";
import type { Id } from "@accord/contracts";
import { nodeById, nodeTitle, portOf } from "@accord/sync-engine/graph";
import { Link } from "@tanstack/react-router";
import { useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { valueWords } from "../../pipelines/parts/value-words.ts";
import { useEditor } from "../editor-context.tsx";
import { useShownFlow } from "./flow-context.tsx";
import { usePortNames } from "../canvas/port-names.ts";
import { useCoreEntity } from "../queries.ts";

export function EdgePanel({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  const show = useEditor((state) => state.show);
  const edgeId = useEditor((state) => state.selectedEdge);
  const graph = useEditor((state) => state.graph);
  const nameOf = usePortNames();
  const mayTrace = useCan("VIEW_TRANSACTIONS");
  const flow = useShownFlow();
  const edge = graph.edges.find(({ id }) => id === edgeId);
  const [from, to] = [edge && nodeById(graph, edge.source.nodeId), edge && nodeById(graph, edge.destination.nodeId)];
  if (!edge || !from || !to) return null;
  const branch = nameOf(from, portOf(from, edge));
  const ends = { from: nodeTitle(from), to: nodeTitle(to) };
  const records = flow?.counts?.passed[edge.id] ?? 0;
  const words = { count: records, shown: records.toLocaleString("en-US") };
  return (
    <SidePanel
      title={branch ? t("flow.edgeBranch", { ...ends, branch }) : t("flow.edge", ends)}
      subtitle={t(flow?.isRunning ? "flow.passedSoFar" : "flow.passedCount", words)}
      width={420}
      onClose={() => show("none")}
    >
      {mayTrace ? (
        <Records key={edge.id} entityId={entityId} edgeId={edge.id} />
      ) : (
        <EmptyState compact title={t("flow.noPermission")} />
      )}
    </SidePanel>
  );
}

function Records({ entityId, edgeId }: { entityId: Id<"entity">; edgeId: string }) {
  const { t } = useWords("sync");
  const found = useEndpoint(listEdgeRecords, { params: { entityId, edgeId } });
  return (
    <QueryView query={found} skeleton={<TableSkeleton rows={3} />}>
      {({ records, examined }) => (
        <>
          <p className="ac-edge-records__lead">{t("flow.recordsLead", { count: examined })}</p>
          {records.length === 0 ? <EmptyState compact title={t("flow.noRecords")} /> : null}
          {records.map((record) => (
            <Passed key={record.recordId} entityId={entityId} record={record} />
          ))}
        </>
      )}
    </QueryView>
  );
}

function Passed({ entityId, record }: { entityId: Id<"entity">; record: EdgeRecord }) {
  const { t } = useWords("sync");
  const { recordId, name, at, lastChange, changes } = record;
  const title = name ?? t("refused.unnamed", { id: recordId.slice(-6) });
  return (
    <section className="ac-edge-record" aria-label={title}>
      <h3>
        <Link to="/data-studio/entity/$entityId/record/$recordId" params={{ entityId, recordId }}>
          {title}
        </Link>
        <RelativeTime at={at} />
      </h3>
      <Changes entityId={entityId} title={t("flow.lastChange")} changes={lastChange} />
      {changes.length === 0 ? (
        <p>{t("flow.unchanged")}</p>
      ) : (
        <Changes entityId={entityId} title={t("flow.byNodes")} changes={changes} />
      )}
    </section>
  );
}

function Changes({
  entityId,
  title,
  changes,
}: {
  entityId: Id<"entity">;
  title: string;
  changes: EdgeRecord["changes"];
}) {
  const { t } = useWords("sync");
  const fields = useCoreEntity(entityId).data?.fields;
  if (changes.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{t("flow.before")}</th>
          <th scope="col">{t("flow.after")}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, from, to }) => {
          const known = fields?.find(({ apiName }) => apiName === field);
          return (
            <tr key={field}>
              <th scope="row">{known?.displayName ?? field}</th>
              <td>{valueWords(known, from, t("flow.empty"))}</td>
              <td>{valueWords(known, to, t("flow.empty"))}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
