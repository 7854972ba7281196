/** What publishing the draft would change: counts for the core and each destination, and the records on demand. */
import { ErrorBox, ProgressBar } from "@accord/ui";
import { Button, Group, SegmentedControl } from "@mantine/core";
import type { Id } from "@accord/contracts";
import { DIFF_ORDERS, type PublishDiff } from "@accord/contracts/sync/tests/publish-diff";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { counted, doneOf, isComplete, WANTED } from "./publish-diff.model.ts";
import { DiffRecords } from "./publish-diff-records.tsx";
import type { Comparison } from "./use-publish-diff.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";
import "./publish-diff.css";

const shownNumber = (count: number): string => count.toLocaleString("en-US");

interface Props {
  entityId: Id<"entity">;
  comparison: Comparison;
  /** What exists already is read again after publishing. */
  bringsIn: boolean;
}

export function PublishDiffView({ entityId, comparison, bringsIn }: Props) {
  const { t } = useWords("sync");
  const { status, diff, wanted, order, compare, stop } = comparison;
  const isComputing = status === "computing";
  const progress = { done: shownNumber(doneOf(diff)), wanted: shownNumber(wanted) };
  return (
    <section className="ac-publish-diff" aria-label={t("publishDiff.title")}>
      <h3>{t("publishDiff.title")}</h3>
      <p className="ac-publish-diff__note">{t("publishDiff.lead")}</p>
      <Group gap={8}>
        <SegmentedControl
          size="xs"
          aria-label={t("publishDiff.wanted")}
          value={String(wanted)}
          data={WANTED.map((count) => ({ value: String(count), label: shownNumber(count) }))}
          onChange={(value) => compare({ wanted: Number(value) })}
        />
        <SegmentedControl
          size="xs"
          aria-label={t("publishDiff.order")}
          value={order}
          data={DIFF_ORDERS.map((value) => ({ value, label: t(`publishDiff.orders.${value}`) }))}
          onChange={(value) => compare({ order: value })}
        />
        {isComputing ? (
          <Button size="xs" variant="default" onClick={stop}>
            {t("publishDiff.stop")}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => compare({})}>
            {t("publishDiff.again")}
          </Button>
        )}
      </Group>
      {isComputing ? (
        <>
          <ProgressBar percent={(100 * doneOf(diff)) / wanted} label={t("publishDiff.computing", progress)} note="" />
          <p className="ac-publish-diff__note">{t("publishDiff.notWaiting")}</p>
        </>
      ) : null}
      <Outcome comparison={comparison} progress={progress} />
      {diff?.published && diff.compared > 0 ? <Counts diff={diff} /> : null}
      {diff && diff.differing > 0 && !bringsIn ? (
        <p className="ac-publish-diff__note">{t("publishDiff.notBroughtIn")}</p>
      ) : null}
      {diff ? <FieldPipelines diff={diff} /> : null}
      {diff ? <Caveats diff={diff} /> : null}
      {diff ? <ListedRecords entityId={entityId} diff={diff} /> : null}
    </section>
  );
}

function Outcome({
  comparison: { status, diff, error },
  progress,
}: {
  comparison: Comparison;
  progress: { done: string; wanted: string };
}) {
  const { t } = useWords("sync");
  const hasEnded = status !== "computing";
  return (
    <div aria-live="polite">
      {status === "stopped" ? <p>{t("publishDiff.stopped", progress)}</p> : null}
      {status === "changed" ? (
        <ErrorBox tone="warn" title={t("publishDiff.failedAt", progress)} message={t("publishDiff.changed")} />
      ) : null}
      {status === "failed" ? (
        <RefusalBox tone="warn" title={t("publishDiff.failedAt", progress)} error={error} />
      ) : null}
      {diff ? <Difference diff={diff} hasEnded={hasEnded} isWhole={status === "done"} /> : null}
    </div>
  );
}

function Difference({ diff, hasEnded, isWhole }: { diff: PublishDiff; hasEnded: boolean; isWhole: boolean }) {
  const { t } = useWords("sync");
  const { compared, differing, cursor } = diff;
  if (!diff.published) return <p>{t("publishDiff.unpublished")}</p>;
  if (compared === 0) return isWhole && diff.failed.length === 0 ? <p>{t("publishDiff.noRecords")}</p> : null;
  const facts = { count: compared, shown: shownNumber(compared), differing: shownNumber(differing) };
  // Before it has ended nobody can say that there is none.
  const none = isComplete(diff) ? "none" : "noneComparable";
  const key = !hasEnded ? "soFar" : differing > 0 ? "some" : none;
  return (
    <p className="ac-publish-diff__outcome">
      <strong>{t(`publishDiff.${key}`, facts)}</strong>{" "}
      {isWhole && cursor === null ? <span>{t("publishDiff.allRecords", facts)}</span> : null}
    </p>
  );
}

function Counts({ diff }: { diff: PublishDiff }) {
  const { t } = useWords("sync");
  const core = counted(diff.counts).map(([kind, count]) =>
    t(`publishDiff.coreCount.${kind}`, { count, shown: shownNumber(count) }),
  );
  return (
    <dl className="ac-publish-diff__counts">
      <dt>{t("publishDiff.core")}</dt>
      <dd>{core.join(", ") || t("publishDiff.same")}</dd>
      {diff.destinations.map(({ nodeId, label, version, counts, notDue }) => {
        const sent = counted(counts).map(([kind, count]) =>
          t(`publishDiff.sentCount.${kind}`, { shown: shownNumber(count) }),
        );
        const marks =
          version === "both" ? [] : [t(version === "draft" ? "publishDiff.isNew" : "publishDiff.isRemoved")];
        const later = { count: notDue, shown: shownNumber(notDue) };
        return (
          <div key={nodeId}>
            <dt>{label}</dt>
            <dd>
              {[...marks, ...sent].join(", ") || t("publishDiff.same")}
              {notDue > 0 ? <p className="ac-publish-diff__note">{t("publishDiff.notDue", later)}</p> : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function FieldPipelines({ diff: { fieldPipelines } }: { diff: PublishDiff }) {
  const { t } = useWords("sync");
  if (fieldPipelines.length === 0) return <p className="ac-publish-diff__note">{t("publishDiff.noFieldPipelines")}</p>;
  const names = fieldPipelines.map(({ label, change }) => t(`publishDiff.fieldPipeline.${change}`, { label }));
  return (
    <p>
      {t("publishDiff.fieldPipelines")}: {names.join(", ")}
    </p>
  );
}

/** What the numbers don't say. */
function Caveats({ diff: { unknown, unasked, failed, sources } }: { diff: PublishDiff }) {
  const { t } = useWords("sync");
  const listed = (isAssumed: boolean): string =>
    unknown
      .filter((one) => one.isAssumed === isAssumed)
      .map(({ source, field, records }) =>
        t("publishDiff.fieldOf", { source, field, count: records, shown: shownNumber(records) }),
      )
      .join(", ");
  const [missing, assumed] = [listed(false), listed(true)];
  const [first] = failed;
  const oneSided = sources.map(({ label, version }) => t(`publishDiff.oneSidedSource.${version}`, { label }));
  const lines = [
    oneSided.length > 0 && t("publishDiff.oneSidedSources", { sources: oneSided.join(", ") }),
    missing && t("publishDiff.unknown", { fields: missing }),
    assumed && t("publishDiff.assumed", { fields: assumed }),
    unasked > 0 && t("publishDiff.unasked", { count: unasked, shown: shownNumber(unasked) }),
    first &&
      t("publishDiff.failed", { count: failed.length, shown: shownNumber(failed.length), reason: first.message }),
  ];
  return lines.map((line) =>
    line ? (
      <p key={line} className="ac-publish-diff__note">
        {line}
      </p>
    ) : null,
  );
}

function ListedRecords({ entityId, diff }: { entityId: Id<"entity">; diff: PublishDiff }) {
  const { t } = useWords("sync");
  const [isOpen, setOpen] = useState(false);
  const { records, differing } = diff;
  if (records.length === 0) return null;
  const shown = { count: records.length, shown: shownNumber(records.length) };
  const rest = differing - records.length;
  return (
    <>
      <Button size="xs" variant="subtle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? t("publishDiff.hide") : t("publishDiff.show", shown)}
      </Button>
      {isOpen ? <DiffRecords entityId={entityId} diff={diff} /> : null}
      {isOpen && rest > 0 ? (
        <p className="ac-publish-diff__note">{t("publishDiff.notListed", { count: rest, shown: shownNumber(rest) })}</p>
      ) : null}
    </>
  );
}
