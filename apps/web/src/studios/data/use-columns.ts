/** Which columns a person shows in a list of records. */
import { saveRecordColumns } from "@accord/contracts/data/records";
import { useState } from "react";
import { useCall } from "../../app/queries.ts";
import { useWords } from "../../app/words.ts";
import { toast } from "../../shared/toast.tsx";
import type { EntityId } from "./queries.ts";

/** The person's columns: shown at once, kept on the server behind. */
export function useColumns(entityId: EntityId, kept: readonly string[] | undefined) {
  const { t } = useWords("data");
  const [chosen, setChosen] = useState<readonly string[]>();
  const save = useCall(saveRecordColumns, { onError: () => toast.error(t("list.columnsFailed")) });
  const shown = chosen ?? kept;
  return {
    shown,
    hidden: (all: readonly string[]) => all.filter((name) => !(shown ?? all).includes(name)),
    choose(columns: string[]) {
      if (columns.length === 0) return;
      setChosen(columns);
      save.mutate({ params: { entityId }, body: { columns } });
    },
  };
}
