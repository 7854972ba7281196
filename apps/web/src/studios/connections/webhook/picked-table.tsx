/** Records that were picked from a payload, with those that can't be used. */
import type { WebhookPost } from "@accord/contracts/connections/webhooks";
import { useWords } from "../../../app/words.ts";
import { ValueTable } from "../parts/value-table.tsx";
import { PlaceList } from "../parts/place-list.tsx";

export interface PickedTableProps {
  picked: Pick<NonNullable<WebhookPost["picked"]>, "count" | "records" | "bad">;
}

/** The field that holds a record's id, whatever its path. */
const ID_FIELD = "webhookRecordId";
const MAX_COLUMNS = 12;

export function PickedTable({ picked: { count, records, bad } }: PickedTableProps) {
  const { t } = useWords("webhooks");
  const names = [...new Set(records.flatMap(({ values }) => Object.keys(values)))].filter((name) => name !== ID_FIELD);
  const shown = records.length + bad.length;
  return (
    <>
      <p>
        {t("post.pickedCount", { count })} {shown < count ? t("post.shown", { shown }) : null}
      </p>
      {records.length > 0 ? (
        <ValueTable
          label={t("form.picked")}
          columns={[
            { name: ID_FIELD, label: t("form.recordId") },
            ...names.slice(0, MAX_COLUMNS).map((name) => ({ name, label: name })),
          ]}
          rows={records.map(({ id, values }) => ({ ...values, [ID_FIELD]: id }))}
        />
      ) : null}
      {bad.length > 0 ? (
        <>
          <h4>{t("form.notPicked")}</h4>
          <PlaceList places={bad} />
        </>
      ) : null}
    </>
  );
}
