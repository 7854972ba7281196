/** What would come of the tried record: each node on its way, the core record and each destination. */
import type { TriedRecord } from "@accord/contracts/sync/tests/try-record";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { isCore, nodeTitle } from "@accord/sync-engine/graph";
import { useWords } from "../../../../app/words.ts";
import { useEditor } from "../editor-context.tsx";
import { TryTag } from "./node-try.tsx";
import { PassRoute } from "./pass-route.tsx";
import { useTried } from "./try-context.tsx";
import { passesAt } from "./try.model.ts";

export function TrySummary({ onGoTo }: { onGoTo: (nodeId: string) => void }) {
  const { t } = useWords("sync");
  const result = useTried((state) => state.result);
  const isCurrent = useTried((state) => state.isCurrent);
  const untilNodeId = useTried((state) => state.untilNodeId);
  const nodes = useEditor((state) => state.graph.nodes);
  if (!result) return null;
  const { core, destinations } = result;
  const end = nodes.find(({ id }) => id === untilNodeId);
  const isCoreRun = nodes.some((node) => isCore(node) && !result.notRun.includes(node.id));
  const order = new Map(inOrder(result).map((nodeId, index) => [nodeId, index]));
  const listed = nodes
    .filter(({ id }) => order.has(id))
    .toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
  return (
    <div className="ac-try__summary" data-outdated={!isCurrent || undefined}>
      {end && result.notRun.length > 0 ? <p>{t("try.endedBefore", { node: nodeTitle(end) })}</p> : null}
      {isCoreRun ? (
        <section>
          <h3>{t("try.atCore")}</h3>
          <p>{core.message ?? t(`try.core.${core.outcome}`)}</p>
        </section>
      ) : null}
      {core.after === null || destinations.length === 0 ? null : (
        <section>
          <h3>{t("try.destinations")}</h3>
          {destinations.map(({ nodeId, message }) => (
            <p key={nodeId}>{message}</p>
          ))}
        </section>
      )}
      <section>
        <h3>{t("try.nodes")}</h3>
        <ul className="ac-try__found">
          {listed.map((node) => (
            <li key={node.id}>
              <button type="button" className="ac-row-button" onClick={() => onGoTo(node.id)}>
                <span>{nodeTitle(node)}</span>
                <Ways node={node} result={result} />
                <TryTag nodeId={node.id} />
              </button>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Each way that the record left the node by, once: of a loop it may be several. */
function Ways({ node, result }: { node: GraphNode; result: TriedRecord }) {
  const byRoute = new Map(passesAt(result, node).map((pass) => [pass.route, pass]));
  return (
    <span className="ac-try__ways">
      {[...byRoute].map(([route, pass]) => (
        <PassRoute key={route} node={node} pass={pass} />
      ))}
    </span>
  );
}

/** Nodes that the record came by first. */
function inOrder({ nodes }: TriedRecord): string[] {
  const isReached = ({ status }: TriedRecord["nodes"][number]): boolean => status !== "not_reached";
  return [...nodes.filter(isReached), ...nodes.filter((node) => !isReached(node))].map(({ nodeId }) => nodeId);
}
