/** The columns a dataset gives: their names, and how each is folded when rows are grouped. */
import {
  AGGREGATES,
  type DatasetConfig,
  DATE_GRAINS,
  type SelectedField,
} from "@accord/contracts/insights/dataset-config";
import { aggregateType } from "@accord/analytics-engine";
import { ActionIcon, Select, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";
import { folded, withColumn, withGrain, withoutColumn } from "./dataset.model.ts";

const DATES: ReadonlySet<string> = new Set(["date", "datetime", "timestamp"]);

export function Columns({ config, onChange }: { config: DatasetConfig; onChange: (config: DatasetConfig) => void }) {
  const { t } = useWords("insights");
  if (config.selectedFields.length === 0) return <p className="ac-quiet">{t("editor.noneChosen")}</p>;
  return (
    <ul className="ac-columns">
      {config.selectedFields.map((field) => (
        <li key={field.alias}>
          <TextInput
            aria-label={`${t("wizard.shownAs")}: ${field.alias}`}
            value={field.displayName}
            onChange={(event) =>
              onChange(withColumn(config, field.alias, { displayName: event.currentTarget.value || field.apiName }))
            }
          />
          <code title={`${field.datasourceAlias}.${field.apiName}`}>{field.apiName}</code>
          {config.group ? <Fold field={field} config={config} onChange={onChange} /> : null}
          <ActionIcon
            variant="subtle"
            color="idle"
            aria-label={t("wizard.removeEntry", { name: field.displayName })}
            onClick={() => onChange(withoutColumn(config, field.alias))}
          >
            <IconX size={15} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

function Fold({
  field,
  config,
  onChange,
}: {
  field: SelectedField;
  config: DatasetConfig;
  onChange: (config: DatasetConfig) => void;
}) {
  const { t } = useWords("insights");
  const group = config.groupBy.find(({ datasetField }) => datasetField === field.alias);
  const possible = AGGREGATES.filter((fn) => aggregateType(fn, field.dataType) !== null);
  return (
    <>
      <Select
        aria-label={`${t("wizard.aggregate")}: ${field.displayName}`}
        allowDeselect={false}
        w={150}
        value={group ? "group" : (field.aggregate ?? null)}
        data={[
          { value: "group", label: t("editor.groupBy") },
          ...possible.map((fn) => ({ value: fn, label: t(`aggregates.${fn}`) })),
        ]}
        onChange={(how) => how && onChange(folded(config, field.alias, how as "group"))}
      />
      {group && DATES.has(field.dataType) ? (
        <Select
          aria-label={`${t("wizard.grain")}: ${field.displayName}`}
          w={110}
          placeholder={t("wizard.noGrain")}
          value={group.grain ?? null}
          clearable
          clearButtonProps={{ "aria-label": t("wizard.noGrain") }}
          data={DATE_GRAINS.map((grain) => ({ value: grain, label: t(`grains.${grain}`) }))}
          onChange={(grain) => onChange(withGrain(config, field.alias, (grain ?? undefined) as "day"))}
        />
      ) : null}
    </>
  );
}
