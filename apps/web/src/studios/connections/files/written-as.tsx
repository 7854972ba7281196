/** How one table is written, proposed from the file and changed by a person: delimiter, letters, header, dates, numbers, id. */
import type { FileTablePreview } from "@accord/contracts/connections/connector-files";
import {
  FILE_DATES,
  FILE_DELIMITERS,
  FILE_ENCODINGS,
  FILE_HEADERS,
  FILE_NUMBERS,
  FILE_ROW_FIELD,
  type PartialFileSettings,
} from "@accord/contracts/connections/file-settings";
import { Select } from "@mantine/core";
import { useWords } from "../../../app/words.ts";

interface WrittenAsProps {
  table: FileTablePreview;
  onChoose: (part: PartialFileSettings) => void;
}

export function WrittenAs({ table, onChoose }: WrittenAsProps) {
  const { t } = useWords("connectorFiles");
  const { format, settings, columns, ids } = table;
  const numbers = { plain: t("option.plain"), point: t("option.pointStyle"), comma: t("option.commaStyle") };
  const isKnown = <Name extends string>(name: Name): name is Exclude<Name, "auto"> => name !== "auto";
  const idLabel = (column: string): string => {
    const counts = ids.find((one) => one.column === column);
    if (!counts) return column;
    return t(counts.doubled + counts.empty > 0 ? "id.flawed" : "id.sound", counts);
  };
  return (
    <fieldset className="ac-preview__settings">
      <legend>{t("preview.optional")}</legend>
      <Choice
        label={t("setting.idColumn")}
        {...(settings.idColumn === FILE_ROW_FIELD && { hint: t("id.lineHint") })}
        value={settings.idColumn ?? FILE_ROW_FIELD}
        options={[
          ...columns.map(({ name }) => ({ value: name, label: idLabel(name) })),
          { value: FILE_ROW_FIELD, label: t("option.line") },
        ]}
        onChoose={(idColumn) => onChoose({ idColumn })}
      />
      {format === "jsonl" ? null : (
        <Choice
          label={t("setting.header")}
          value={settings.header}
          options={FILE_HEADERS.filter(isKnown).map((value) => ({ value, label: t(`option.${value}`) }))}
          onChoose={(value) => onChoose({ header: FILE_HEADERS.find((one) => one === value) })}
        />
      )}
      {format === "csv" ? (
        <Choice
          label={t("setting.delimiter")}
          value={settings.delimiter}
          options={FILE_DELIMITERS.filter(isKnown).map((value) => ({ value, label: t(`option.${value}`) }))}
          onChoose={(value) => onChoose({ delimiter: FILE_DELIMITERS.find((one) => one === value) })}
        />
      ) : null}
      {format === "xlsx" ? null : (
        <Choice
          label={t("setting.encoding")}
          value={settings.encoding}
          options={FILE_ENCODINGS.map((value) => ({ value, label: t(`option.${value}`) }))}
          onChoose={(value) => onChoose({ encoding: FILE_ENCODINGS.find((one) => one === value) })}
        />
      )}
      <Choice
        label={t("setting.dates")}
        value={settings.dates}
        options={FILE_DATES.map((value) => ({ value, label: t(`option.${value}`) }))}
        onChoose={(value) => onChoose({ dates: FILE_DATES.find((one) => one === value) })}
      />
      {format === "csv" ? (
        <Choice
          label={t("setting.numbers")}
          value={settings.numbers}
          options={FILE_NUMBERS.map((value) => ({ value, label: numbers[value] }))}
          onChoose={(value) => onChoose({ numbers: FILE_NUMBERS.find((one) => one === value) })}
        />
      ) : null}
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  hint?: string;
  value: string;
  options: { value: string; label: string }[];
  onChoose: (value: string) => void;
}

const Choice = ({ label, hint, value, options, onChoose }: ChoiceProps) => (
  <Select
    label={label}
    description={hint}
    data={options}
    value={value}
    allowDeselect={false}
    searchable={options.length > 12}
    onChange={(next) => next !== null && onChoose(next)}
  />
);
