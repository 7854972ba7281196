/** Fills the test values from fields of a real record: by their names first, then as somebody chooses. */
import type { Id } from "@accord/contracts";
import { listEntities } from "@accord/contracts/data/core-schema";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { listRecords, type Record } from "@accord/contracts/data/records";
import { isSecretField, textOf } from "@accord/expressions";
import { FormPair } from "@accord/ui";
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { matchFields, withFields } from "../action-form.model.ts";
import type { ActionForm } from "../use-action-form.ts";

const PAUSE_MS = 250;
const MAX_RECORDS = 20;

export function RecordValues({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const mayRead = useCan("READ_DATA_STUDIO");
  return (
    <details className="ac-action-details">
      <summary>{t("test.fromRecord")}</summary>
      {mayRead ? <RecordChoice form={form} /> : <p className="ac-quiet">{t("test.noReading")}</p>}
    </details>
  );
}

function RecordChoice({ form }: { form: ActionForm }) {
  const { t } = useWords("customActions");
  const entities = useEndpoint(listEntities, { query: { version: "published" } }).data?.entities ?? [];
  const [entityId, setEntityId] = useState<Id<"entity">>();
  const [record, setRecord] = useState<Record>();
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const entity = entities.find((each) => each.id === entityId);
  const fields = entity?.fields.filter((field) => !isSecretField(field)) ?? [];
  const { draft, edit } = form;

  const fill = (fieldByVariable: ReadonlyMap<string, string>, from: Record) =>
    edit({ variableValues: withFields(draft.variableValues, fieldByVariable, from.values) });
  const take = (next: Record) => {
    const matched = matchFields(draft.variables, fields);
    setRecord(next);
    setChosen(matched);
    fill(matched, next);
  };
  const choose = (name: string, field: string | null) => {
    if (!record || !field) return;
    setChosen(new Map(chosen).set(name, field));
    fill(new Map([[name, field]]), record);
  };
  return (
    <div className="ac-action-stack">
      <FormPair>
        <Select
          label={t("test.entity")}
          searchable
          data={entities.map((each) => ({ value: each.id, label: each.displayName }))}
          value={entityId ?? null}
          nothingFoundMessage={t("test.noEntities")}
          onChange={(value) => {
            setEntityId(entities.find((each) => each.id === value)?.id);
            setRecord(undefined);
          }}
        />
        {entity ? <RecordSelect key={entity.id} entity={entity} record={record} onPick={take} /> : null}
      </FormPair>
      {record ? (
        <>
          <p className="ac-quiet" role="status">
            {chosen.size > 0 ? t("test.matched", { count: chosen.size }) : t("test.matchedNone")}
          </p>
          <div className="ac-action-values">
            {draft.variables.map(({ name }) => (
              <Select
                key={name}
                label={t("test.fieldFor", { name })}
                searchable
                limit={200}
                data={fields.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }))}
                value={chosen.get(name) ?? null}
                onChange={(field) => choose(name, field)}
              />
            ))}
          </div>
        </>
      ) : null}
    </div>
  );
}

interface RecordSelectProps {
  entity: CoreEntity;
  record: Record | undefined;
  onPick: (record: Record) => void;
}

function RecordSelect({ entity, record, onPick }: RecordSelectProps) {
  const { t } = useWords("customActions");
  const [text, setText] = useState("");
  const [asked] = useDebouncedValue(text, PAUSE_MS);
  const nameOf = ({ values, accordId }: Record): string =>
    textOf(values[entity.nameField ?? entity.fields[0]?.apiName ?? ""]) || accordId;
  // The name that is shown of a chosen record is no search.
  const search = record && asked === nameOf(record) ? "" : asked;
  const records = useEndpoint(
    listRecords,
    {
      params: { entityId: entity.id },
      query: { search, count: MAX_RECORDS, direction: "next", deleted: "hide" },
    },
    { placeholderData: keepPreviousData },
  );
  const found = records.data?.records ?? [];
  const shown = record && !found.some(({ accordId }) => accordId === record.accordId) ? [record, ...found] : found;
  return (
    <Select
      label={t("test.record")}
      placeholder={t("test.recordHint")}
      searchable
      data={shown.map((each) => ({ value: each.accordId, label: nameOf(each) }))}
      // The server has searched.
      filter={({ options }) => options}
      value={record?.accordId ?? null}
      nothingFoundMessage={records.isFetching ? "…" : t("test.noRecords")}
      onSearchChange={setText}
      onChange={(value) => {
        const picked = shown.find(({ accordId }) => accordId === value);
        if (picked) onPick(picked);
      }}
    />
  );
}
