/** A record as it was at a chosen time: each field's value then, who had set it, and what it is now if that differs. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import type { Record as RecordRow } from "@accord/contracts/data/records";
import type { getRecordAsOf } from "@accord/contracts/sync/monitoring/explain";
import type { ReplyOf } from "@accord/contracts";
import { EmptyState, FormSkeleton } from "@accord/ui";
import { Button, TextInput } from "@mantine/core";
import { IconClockHour4, IconHistory } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useWords } from "../../app/words.ts";
import { QueryView } from "../../shared/query-view.tsx";
import { inputOf, momentOf } from "./as-of.model.ts";
import { FieldList } from "./parts/field-list.tsx";
import { FieldRow } from "./parts/field-row.tsx";
import { ValueOrigin } from "./parts/value-origin.tsx";
import { useRecordAsOf } from "./queries.ts";
import { isEmpty, textOf, type References } from "./value.model.ts";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId/record/$recordId/fields");

type Past = ReplyOf<typeof getRecordAsOf>;

interface PastFieldsProps {
  at: string;
  entity: CoreEntity;
  record: RecordRow;
  references: References;
}

export function HistoricalFields({ at, ...rest }: PastFieldsProps) {
  const past = useRecordAsOf(rest.entity.id, rest.record.accordId, at);
  return (
    <>
      <AsOfBar at={at} past={past.data} />
      <QueryView query={past} skeleton={<FormSkeleton fields={8} />}>
        {(data) => <FieldsThen past={data} {...rest} />}
      </QueryView>
    </>
  );
}

function AsOfBar({ at, past }: { at: string; past: Past | undefined }) {
  const { t } = useWords("data");
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState({ at: "", text: "" });
  const isIncomplete = past?.state === "live" && !past.complete;
  return (
    <section className="ac-as-of" aria-label={t("asOf.title")}>
      <IconClockHour4 size={18} aria-hidden />
      <TextInput
        type="datetime-local"
        step={1}
        aria-label={t("asOf.at")}
        // Kept as typed as long as the address holds what was made of it.
        value={typed.at === at ? typed.text : inputOf(at)}
        onChange={(event) => {
          const text = event.currentTarget.value;
          const moment = momentOf(text);
          setTyped({ at: moment ?? at, text });
          if (moment) void navigate({ search: (old) => ({ ...old, at: moment }), replace: true });
        }}
      />
      <p role="status">
        {past?.state === "deleted" ? t("asOf.deleted") : t("asOf.live")} {isIncomplete ? t("asOf.incomplete") : null}
      </p>
      <Button variant="default" onClick={() => void navigate({ search: (old) => ({ ...old, at: undefined }) })}>
        {t("asOf.back")}
      </Button>
    </section>
  );
}

function FieldsThen({ past, entity, record, references }: Omit<PastFieldsProps, "at"> & { past: Past }) {
  const { t } = useWords("data");
  if (past.state === "unborn")
    return <EmptyState icon={<IconHistory size={22} />} title={t("asOf.unborn")} body={t("asOf.unbornBody")} />;
  const thenOf = ({ apiName }: CoreField) => past.fields.find(({ field }) => field === apiName);
  const row = (field: CoreField) => {
    const then = thenOf(field);
    const now = record.values[field.apiName];
    return (
      <FieldRow
        key={field.id}
        field={field}
        value={then?.value}
        references={references}
        aside={
          then?.setBy ? (
            <ValueOrigin entityId={entity.id} recordId={record.accordId} field={field} setBy={then.setBy} />
          ) : null
        }
        below={
          isSame(then?.value, now) ? null : (
            <p className="ac-field__now">
              {isEmpty(now) ? t("asOf.nowEmpty") : t("asOf.now", { value: textOf(field, now, references) })}
            </p>
          )
        }
      />
    );
  };
  return (
    <FieldList
      entity={entity}
      isFilled={(field) => !isEmpty(thenOf(field)?.value) || !isEmpty(record.values[field.apiName])}
      row={row}
    />
  );
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
