/** How an API shows the values of a described entity: the zone of its times, and what it leaves out. */
import { Checkbox, Select } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { timeZoneChoices } from "../../../shared/time-zones.ts";
import type { EntityDraft } from "../http-entity.model.ts";

export interface HttpValueFormProps {
  draft: EntityDraft;
  problemOf: (path: string) => string | undefined;
  onChange: (draft: EntityDraft) => void;
}

export function HttpValueForm({ draft, problemOf, onChange }: HttpValueFormProps) {
  const { t } = useWords("connections");
  const [zones] = useState(() => timeZoneChoices(Date.now()));
  return (
    <>
      <Select
        label={t("http.timeZone")}
        description={t("http.timeZoneHint")}
        searchable
        limit={100}
        data={zones}
        value={draft.timeZone ?? "UTC"}
        allowDeselect={false}
        error={problemOf("timeZone")}
        onChange={(value) => onChange({ ...draft, timeZone: value ?? "UTC" })}
      />
      <Checkbox
        label={t("http.leavesOutEmpty")}
        description={t("http.leavesOutEmptyHint")}
        checked={draft.leavesOutEmpty ?? false}
        onChange={(event) => onChange({ ...draft, leavesOutEmpty: event.currentTarget.checked })}
      />
    </>
  );
}
