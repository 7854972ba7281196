/** Records that the draft treats differently: what would be in the core, and what would be written where. */
import { Button } from "@mantine/core";
import type { Id } from "@accord/contracts";
import type { Value } from "@accord/contracts/data/values";
import type { DiffDestination, DiffField, DiffRecord, PublishDiff } from "@accord/contracts/sync/tests/publish-diff";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { valueWords } from "../../pipelines/parts/value-words.ts";
import { useCoreEntity } from "../queries.ts";

const PAGE = 20;

export function DiffRecords({ entityId, diff }: { entityId: Id<"entity">; diff: PublishDiff }) {
  const { t } = useWords("sync");
  const [count, setCount] = useState(PAGE);
  return (
    <>
      <ul className="ac-publish-diff__records" aria-label={t("publishDiff.records")}>
        {diff.records.slice(0, count).map((record) => (
          <li key={record.recordId}>
            <OneRecord entityId={entityId} record={record} destinations={diff.destinations} />
          </li>
        ))}
      </ul>
      {diff.records.length > count ? (
        <Button size="xs" variant="subtle" onClick={() => setCount(count + PAGE)}>
          {t("publishDiff.more")}
        </Button>
      ) : null}
    </>
  );
}

interface RecordProps {
  entityId: Id<"entity">;
  record: DiffRecord;
  destinations: PublishDiff["destinations"];
}

function OneRecord({ entityId, record, destinations }: RecordProps) {
  const { t } = useWords("sync");
  const fields = useCoreEntity(entityId).data?.fields;
  const { recordId, name, values } = record;
  const inWords = (field: string, value: Value): string =>
    valueWords(
      fields?.find(({ apiName }) => apiName === field),
      value,
      t("publishDiff.nothing"),
    );
  const notes = useNotes(record);
  return (
    <>
      <Link
        to="/data-studio/entity/$entityId/record/$recordId"
        params={{ entityId, recordId }}
        target="_blank"
        title={t("publishDiff.opensTab")}
      >
        {name ?? t("publishDiff.unnamed", { id: recordId.slice(-6) })}
      </Link>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {values.length === 0 ? null : (
        <FieldRows
          title={t("publishDiff.inCore")}
          rows={values.map(({ field, before, after }) => [
            fields?.find(({ apiName }) => apiName === field)?.displayName ?? field,
            t("publishDiff.changedTo", { before: inWords(field, before), after: inWords(field, after) }),
          ])}
        />
      )}
      {record.destinations.map((one) => (
        <Destination key={one.destination} of={one} label={destinations[one.destination]?.label ?? ""} />
      ))}
      {record.isCut ? <p className="ac-publish-diff__note">{t("publishDiff.cut")}</p> : null}
    </>
  );
}

function Destination({ of: { change, isDue, message, fields }, label }: { of: DiffDestination; label: string }) {
  const { t } = useWords("sync");
  const nothing = t("publishDiff.nothing");
  const inWords = (field: DiffField): string => {
    const { before, after, mapped, isHeld } = field;
    const was = before === null && !isHeld ? t("publishDiff.notKnown") : valueWords(undefined, before, nothing);
    if (mapped === "published") return t("publishDiff.noLongerWritten", { before: was });
    if (change === "created") return valueWords(undefined, after, nothing);
    return t("publishDiff.changedTo", { before: was, after: valueWords(undefined, after, nothing) });
  };
  const title = `${label}: ${t(`publishDiff.sentCount.${change}`, { shown: "" }).trim()}`;
  return (
    <>
      <FieldRows title={title} rows={fields.map((field) => [field.field, inWords(field)])} />
      {message === null ? null : <p>{message}</p>}
      {isDue ? null : <p className="ac-publish-diff__note">{t("publishDiff.onChange")}</p>}
    </>
  );
}

function FieldRows({ title, rows }: { title: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <>
      <h4>{title}</h4>
      {rows.length === 0 ? null : (
        <dl className="ac-publish-diff__fields">
          {rows.map(([field, text]) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

/** What is said of the record as a whole. */
function useNotes({ merged, attached, heldBack, refused, actions }: DiffRecord): string[] {
  const { t } = useWords("sync");
  const both = <Pair extends { before: string | null; after: string | null }>(
    pair: Pair,
    now: (id: string, pair: Pair) => string,
    noLonger: (id: string, pair: Pair) => string,
  ): string[] => [
    ...(pair.after === null ? [] : [now(pair.after, pair)]),
    ...(pair.before === null ? [] : [noLonger(pair.before, pair)]),
  ];
  return [
    ...(merged === null
      ? []
      : both(
          merged,
          (id) => t("publishDiff.mergedWith", { id }),
          (id) => t("publishDiff.notMerged", { id }),
        )),
    ...attached.flatMap((one) =>
      both(
        one,
        (id, { source }) => t("publishDiff.attachedTo", { id, source }),
        (id, { source }) => t("publishDiff.notAttached", { id, source }),
      ),
    ),
    ...heldBack.map(({ source, isByDraft }) =>
      t(isByDraft ? "publishDiff.heldBack" : "publishDiff.letThrough", { source }),
    ),
    ...refused.map(({ source, field, after }) => {
      if (after === null)
        return field === null
          ? t("publishDiff.acceptedRecord", { source })
          : t("publishDiff.acceptedField", { source, field });
      return field === null
        ? t("publishDiff.refusedRecord", { source, reason: after })
        : t("publishDiff.refusedField", { source, field, reason: after });
    }),
    ...(actions?.after.filter((text) => !actions.before.includes(text)) ?? []),
    ...(actions?.before.filter((text) => !actions.after.includes(text)) ?? []).map((text) =>
      t("publishDiff.noAction", { text }),
    ),
  ];
}
