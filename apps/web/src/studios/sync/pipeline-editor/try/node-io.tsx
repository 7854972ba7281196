/** What goes into a node and comes out of it for the record that is tried, beside the node's form. */
import { ErrorBox } from "@accord/ui";
import { ActionIcon, Anchor } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { Value } from "@accord/contracts/data/values";
import type { GraphNode } from "@accord/contracts/sync/graph";
import { textOf } from "@accord/expressions";
import { isCore, isSink } from "@accord/sync-engine/graph";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditorStore } from "../editor-context.tsx";
import { type FieldRow, fieldRows, type NodePass, passesAt, statusAt } from "./try.model.ts";
import { useTried, useTryStore } from "./try-context.tsx";
import { TryTag } from "./node-try.tsx";
import { PassRoute } from "./pass-route.tsx";
import { TryError, TryState } from "./try-state.tsx";
import "./try.css";

/** Offers to try a record where none is chosen. */
export function NodeIo({ node }: { node: GraphNode }) {
  const { t } = useWords("sync");
  const editor = useEditorStore();
  const chosen = useTried((state) => state.chosen);
  const openPanel = () => editor.getState().show("try");
  if (!chosen)
    return (
      <div className="ac-try__strip">
        <Anchor component="button" type="button" onClick={openPanel}>
          {t("try.open")}
        </Anchor>
      </div>
    );
  return (
    <section className="ac-try__strip" aria-label={t("try.atNode")}>
      <div className="ac-try__line">
        <span className="ac-try__name" title={chosen.name}>
          {chosen.name}
        </span>
        <TryState />
        <RunToLink nodeId={node.id} />
        <Anchor component="button" type="button" onClick={openPanel}>
          {t("try.change")}
        </Anchor>
      </div>
      <TryError nodeId={node.id} />
      <NodeResultView node={node} />
    </section>
  );
}

/** Ends the run here; once it does, runs the whole graph again. */
function RunToLink({ nodeId }: { nodeId: string }) {
  const { t } = useWords("sync");
  const store = useTryStore();
  const isEnd = useTried((state) => state.untilNodeId === nodeId);
  return (
    <Anchor component="button" type="button" onClick={() => store.getState().runTo(isEnd ? null : nodeId)}>
      {t(isEnd ? "try.runWhole" : "try.runTo")}
    </Anchor>
  );
}

function NodeResultView({ node }: { node: GraphNode }) {
  const { t } = useWords("sync");
  const result = useTried((state) => state.result);
  const isCurrent = useTried((state) => state.isCurrent);
  const [wanted, setWanted] = useState(0);
  if (!result) return null;
  const passes = passesAt(result, node);
  const index = Math.min(wanted, passes.length - 1);
  const pass = passes[index];
  const status = statusAt(result, node.id);
  const isTruncated = result.nodes.some(({ nodeId, isTruncated: isCut }) => nodeId === node.id && isCut);
  return (
    <div className="ac-try__io" data-outdated={!isCurrent || undefined}>
      <div className="ac-try__line">
        <TryTag nodeId={node.id} />
        {isCore(node) && status !== "not_run" ? <span>{t(`try.core.${result.core.outcome}`)}</span> : null}
        {pass ? <PassRoute node={node} pass={pass} /> : null}
        {passes.length > 1 ? <PassPicker index={index} count={passes.length} onPick={setWanted} /> : null}
      </div>
      {status === null ? <p>{t("try.moved")}</p> : null}
      {pass ? <PassView node={node} pass={pass} /> : null}
      {isTruncated ? <p>{t("try.truncated")}</p> : null}
    </div>
  );
}

function PassPicker({ index, count, onPick }: { index: number; count: number; onPick: (index: number) => void }) {
  const { t } = useWords("sync");
  return (
    <span className="ac-try__passes">
      <ActionIcon
        size={22}
        variant="subtle"
        aria-label={t("try.previous")}
        disabled={index === 0}
        onClick={() => onPick(index - 1)}
      >
        <IconChevronLeft size={14} />
      </ActionIcon>
      {t("try.turn", { number: index + 1, count })}
      <ActionIcon
        size={22}
        variant="subtle"
        aria-label={t("try.next")}
        disabled={index === count - 1}
        onClick={() => onPick(index + 1)}
      >
        <IconChevronRight size={14} />
      </ActionIcon>
    </span>
  );
}

function PassView({ node, pass }: { node: GraphNode; pass: NodePass }) {
  const { t } = useWords("sync");
  const isCoreNode = isCore(node);
  const isDestination = isSink(node);
  const rows = isDestination ? fieldRows({}, pass.output) : fieldRows(pass.input, pass.output);
  return (
    <>
      {pass.message ? <ErrorBox message={pass.message} /> : null}
      {[...pass.skipped, ...pass.notes].map((note) => (
        <p key={note}>{note}</p>
      ))}
      {rows.length === 0 ? null : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("try.field")}</th>
              {isDestination ? null : <th scope="col">{t(isCoreNode ? "try.before" : "try.input")}</th>}
              <th scope="col">{t(isDestination ? "try.sent" : isCoreNode ? "try.after" : "try.output")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <FieldLine key={row.field} row={row} isDestination={isDestination} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function FieldLine({ row, isDestination }: { row: FieldRow; isDestination: boolean }) {
  const { t } = useWords("sync");
  const shown = (value: Value | undefined): string =>
    value === undefined ? "" : value === null || value === "" ? t("try.empty") : textOf(value);
  const isMarked = row.isChanged && !isDestination;
  return (
    <tr data-changed={isMarked || undefined}>
      <th scope="row">
        {row.field}
        {isMarked ? <span className="ac-try__mark">{t("try.changed")}</span> : null}
      </th>
      {isDestination ? null : <td data-empty={!row.input || undefined}>{shown(row.input)}</td>}
      <td data-empty={!row.output || undefined}>{shown(row.output)}</td>
    </tr>
  );
}
