/** In which order a dataset gives its rows, and how many at most. */
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { ActionIcon, Button, SegmentedControl, Select, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";

export function SortAndLimit({
  config,
  onChange,
}: {
  config: DatasetConfig;
  onChange: (config: DatasetConfig) => void;
}) {
  const { t } = useWords("insights");
  const columns = [
    ...config.selectedFields.map(({ alias, displayName }) => ({ value: alias, label: displayName })),
    ...config.calculatedFields.map(({ aliasName, displayName }) => ({ value: aliasName, label: displayName })),
  ];
  const free = columns.find(({ value }) => !config.sort.some(({ field }) => field === value));
  const change = (at: number, sort: DatasetConfig["sort"][number]): void =>
    onChange({ ...config, sort: config.sort.map((one, place) => (place === at ? sort : one)) });
  const limit = (text: string): DatasetConfig["limit"] => {
    if (/^\{\{[A-Za-z]\w*\}\}$/.test(text)) return text;
    const number = Number(text);
    return Number.isInteger(number) && number >= 1 ? Math.min(number, 50_000) : undefined;
  };
  return (
    <div className="ac-form">
      {config.sort.map((sort, at) => (
        <div key={at} className="ac-row">
          <Select
            aria-label={t("editor.sort")}
            allowDeselect={false}
            value={sort.field}
            data={columns}
            onChange={(field) => field && change(at, { ...sort, field })}
          />
          <SegmentedControl
            value={sort.ascending ? "up" : "down"}
            data={[
              { value: "up", label: t("editor.ascending") },
              { value: "down", label: t("editor.descending") },
            ]}
            onChange={(next) => change(at, { ...sort, ascending: next === "up" })}
          />
          <ActionIcon
            variant="subtle"
            color="idle"
            aria-label={t("wizard.removeEntry", { name: sort.field })}
            onClick={() => onChange({ ...config, sort: config.sort.filter((_, place) => place !== at) })}
          >
            <IconX size={15} />
          </ActionIcon>
        </div>
      ))}
      <div className="ac-row">
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          disabled={!free}
          onClick={() =>
            free && onChange({ ...config, sort: [...config.sort, { field: free.value, ascending: true }] })
          }
        >
          {t("editor.addSort")}
        </Button>
      </div>
      <TextInput
        label={t("editor.limit")}
        description={t("editor.limitHelp", { example: "{{topN}}" })}
        defaultValue={config.limit === undefined ? "" : String(config.limit)}
        onChange={(event) => onChange({ ...config, limit: limit(event.currentTarget.value.trim()) })}
      />
    </div>
  );
}
