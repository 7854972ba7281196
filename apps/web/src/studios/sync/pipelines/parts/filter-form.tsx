/** Filters of the pipelines table. A row shows when it meets any of the chosen values; the search narrows further. */
import { Button, MultiSelect, Stack, Text } from "@mantine/core";
import { AGREEMENT_FILTERS, STATE_TAGS, STATUS_TAGS, type PipelineRow } from "@accord/contracts/sync/pipelines";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { usePipelineRows } from "../../../../shared/failing-systems.tsx";

const KEYS = ["pipelineState", "pipelineStatus", "sources", "destinations", "agreement"] as const;
type Filters = Partial<Record<(typeof KEYS)[number], string | undefined>>;

const split = (text: string | undefined): string[] => (text ? text.split(",") : []);

interface Props {
  value: Filters;
  /** Those on screen: what they have can be chosen before all others are read. */
  rows: readonly PipelineRow[];
  onApply: (value: Filters) => void;
}

export function FilterForm({ value, rows: shown, onApply }: Props) {
  const { t } = useWords("sync");
  const every = usePipelineRows();
  const rows = every.data?.rows ?? shown;
  const [draft, setDraft] = useState<Filters>(value);
  const changed = KEYS.some((key) => (draft[key] ?? "") !== (value[key] ?? ""));
  const places = (side: "sources" | "destinations") => {
    const found = new Map<string, string>();
    for (const row of rows)
      for (const place of row[side]) found.set(place.entityId, `${place.connectorName} · ${place.entityName}`);
    for (const id of split(draft[side])) if (!found.has(id)) found.set(id, id);
    return [...found].map(([id, label]) => ({ value: id, label }));
  };
  const choices = {
    pipelineState: [...STATE_TAGS],
    pipelineStatus: [...STATUS_TAGS],
    sources: places("sources"),
    destinations: places("destinations"),
    agreement: AGREEMENT_FILTERS.map((value) => ({ value, label: t(`table.agreement_${value}`) })),
  };
  return (
    <Stack gap={14}>
      <Text size="sm" c="dimmed">
        {t("table.filterHint")}
      </Text>
      {KEYS.map((key) => (
        <MultiSelect
          key={key}
          label={t(`table.filter_${key}`)}
          data={choices[key]}
          value={split(draft[key])}
          onChange={(list) => setDraft({ ...draft, [key]: list.length > 0 ? list.join(",") : undefined })}
        />
      ))}
      {every.isError ? (
        <Text size="sm" role="alert">
          {t("table.filterPartial")}
        </Text>
      ) : null}
      <Button disabled={!changed} onClick={() => onApply(draft)}>
        {t("table.apply")}
      </Button>
    </Stack>
  );
}
