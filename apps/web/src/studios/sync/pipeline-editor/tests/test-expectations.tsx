/** Rows of expected values in the form of a test: field, value, and of which record it is expected. */
import type { Id } from "@accord/contracts";
import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import { useCoreEntity } from "../queries.ts";
import { type ExpectedForm, isOrphan, type RecordForm } from "./test-form.model.ts";

export const replaced = <Row,>(rows: readonly Row[], index: number, row: Row): Row[] =>
  rows.map((each, at) => (at === index ? row : each));

interface ExpectedRowsProps {
  entityId: Id<"entity">;
  rows: readonly ExpectedForm[];
  records: readonly RecordForm[];
  problemOf: (index: number) => string | undefined;
  onChange: (rows: ExpectedForm[]) => void;
}

export function ExpectedRows({ entityId, rows, records, problemOf, onChange }: ExpectedRowsProps) {
  const { t } = useWords("sync");
  const entity = useCoreEntity(entityId);
  const fields = (entity.data?.fields ?? []).filter(
    ({ status, dataType }) => status === "ACTIVE" && dataType !== "password",
  );
  return (
    <fieldset className="ac-tests__record">
      <legend>{t("tests.form.expected")}</legend>
      {rows.map((row, index) => (
        <div key={index} className="ac-tests__expectation">
          <Select
            aria-label={t("tests.field")}
            placeholder={t("tests.field")}
            searchable
            data={fields.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }))}
            value={row.apiName || null}
            error={problemOf(index)}
            onChange={(apiName) => onChange(replaced(rows, index, { ...row, apiName: apiName ?? "" }))}
          />
          <TextInput
            aria-label={t("tests.form.value")}
            placeholder={t("tests.form.value")}
            value={row.text}
            onChange={(event) => onChange(replaced(rows, index, { ...row, text: event.currentTarget.value }))}
          />
          <ActionIcon
            variant="subtle"
            aria-label={t("tests.form.removeExpected", { number: index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} />
          </ActionIcon>
          {records.length > 1 || isOrphan(row, records) ? (
            <Select
              aria-label={t("tests.form.of")}
              placeholder={t("tests.form.of")}
              data={records.map(({ key, id }, at) => ({
                value: key,
                label: id.trim() || t("tests.form.record", { number: at + 1 }),
              }))}
              value={isOrphan(row, records) ? null : row.record}
              error={isOrphan(row, records) ? t("tests.form.orphan") : undefined}
              allowDeselect={false}
              onChange={(record) => onChange(replaced(rows, index, { ...row, record: record ?? row.record }))}
            />
          ) : null}
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...rows, { apiName: "", text: "", record: records[0]?.key ?? "" }])}
      >
        {t("tests.form.addExpected")}
      </Button>
    </fieldset>
  );
}
