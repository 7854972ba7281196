/** One merge looked at closely: the values of each record before, which of them the winner took, and taking it back. */
import { Button, Group } from "@mantine/core";
import { getEntity } from "@accord/contracts/data/core-schema";
import type { Value } from "@accord/contracts/data/values";
import type { Merge } from "@accord/contracts/sync/merges";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { useEndpoint } from "../../../../../app/queries.ts";
import { useWords } from "../../../../../app/words.ts";
import { mergeName } from "./merge-name.ts";
import { valueWords } from "../value-words.ts";

interface Props {
  row: PipelineRow;
  merge: Merge;
  /** Absent for those who may not. */
  deeds?: { undo: () => void; merge: () => void; dismiss: () => void };
}

export function MergeDetails({ row, merge, deeds }: Props) {
  const { t } = useWords("sync");
  const { status, undoneBy, mergedBy, movedLinks, repointed } = merge;
  if (status === "REPORTED" || status === "TOO_MANY") {
    return (
      <section className="ac-activity-section" aria-label={t("merges.details")}>
        <Group justify="space-between" gap={8}>
          <span className="ac-quarantine__lead">
            {t(status === "REPORTED" ? "merges.onlyReported" : "merges.tooMany")}
          </span>
          {deeds ? (
            <Group gap={8}>
              <Button variant="subtle" onClick={deeds.dismiss}>
                {t("merges.dismiss")}
              </Button>
              <Button variant="default" onClick={deeds.merge}>
                {t("merges.merge")}
              </Button>
            </Group>
          ) : null}
        </Group>
      </section>
    );
  }
  if (status === "DISMISSED") {
    return (
      <section className="ac-activity-section" aria-label={t("merges.details")}>
        <p>{t("merges.dismissedBy", { who: undoneBy ?? "" })}</p>
      </section>
    );
  }
  const facts = [
    movedLinks > 0 && t("merges.links", { count: movedLinks }),
    repointed > 0 && t("merges.repointed", { count: repointed }),
    mergedBy !== null && t("merges.mergedBy", { who: mergedBy }),
    undoneBy !== null && t("merges.undoneBy", { who: undoneBy }),
  ].filter((fact) => fact !== false);
  return (
    <section className="ac-activity-section" aria-label={t("merges.details")}>
      <Values row={row} merge={merge} />
      <Group justify="space-between" gap={8}>
        <span className="ac-quarantine__lead">{facts.join(" · ")}</span>
        {deeds && status === "MERGED" ? (
          <Button variant="default" onClick={deeds.undo}>
            {t("merges.undo")}
          </Button>
        ) : null}
      </Group>
    </section>
  );
}

/** Fields in which the records differed, or which the merge changed. */
function Values({ row, merge }: { row: PipelineRow; merge: Merge }) {
  const { t } = useWords("sync");
  const entity = useEndpoint(getEntity, { params: { entityId: row.id } });
  const ids = [merge.winnerId, ...merge.loserIds];
  const before = (recordId: string, field: string): Value => merge.before[recordId]?.[field] ?? null;
  const changeOf = (field: string) => merge.changes.find((change) => change.field === field);
  const fields = [...new Set(ids.flatMap((recordId) => Object.keys(merge.before[recordId] ?? {})))].filter(
    (field) =>
      changeOf(field) !== undefined || new Set(ids.map((recordId) => JSON.stringify(before(recordId, field)))).size > 1,
  );
  if (fields.length === 0) return <p>{t("merges.nothingChanged")}</p>;
  const fieldOf = (apiName: string) => entity.data?.fields.find((field) => field.apiName === apiName);
  const words = (field: string, value: Value) => valueWords(fieldOf(field), value, t("merges.empty"));
  return (
    <table className="ac-merge__values">
      <thead>
        <tr>
          <th scope="col">{t("merges.field")}</th>
          <th scope="col">{t("merges.merged")}</th>
          {ids.map((recordId) => (
            <th key={recordId} scope="col">
              {t("merges.before", { name: mergeName(t, merge, recordId) })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field}>
            <th scope="row">{fieldOf(field)?.displayName ?? field}</th>
            <td data-changed={changeOf(field) ? true : undefined}>
              {words(field, changeOf(field)?.to ?? before(merge.winnerId, field))}
            </td>
            {ids.map((recordId) => (
              <td key={recordId}>{words(field, before(recordId, field))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
