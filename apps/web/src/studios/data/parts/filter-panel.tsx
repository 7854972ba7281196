/** Builds the condition of the list; nothing is applied before the person says so. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Predicate } from "@accord/contracts/data/predicate";
import { Button } from "@mantine/core";
import { useMemo, useState } from "react";
import { useWords } from "../../../app/words.ts";
import { PredicateBuilder } from "../../../shared/predicate-builder/predicate-builder.tsx";
import {
  asGroup,
  completeOnly,
  newCondition,
  type BuilderScope,
} from "../../../shared/predicate-builder/predicate.model.ts";

/** A password is never filtered by: it could be guessed letter by letter. */
export const filterScope = (entity: CoreEntity): BuilderScope => ({
  fields: entity.fields.filter((field) => field.dataType !== "password"),
});

export interface FilterPanelProps {
  entity: CoreEntity;
  initial: Predicate | null;
  onApply: (predicate: Predicate | null) => void;
  onClose: () => void;
}

export function FilterPanel({ entity, initial, onApply, onClose }: FilterPanelProps) {
  const { t } = useWords("data");
  const scope = useMemo(() => filterScope(entity), [entity]);
  // An empty builder would leave people looking for where to begin.
  const [draft, setDraft] = useState(() => asGroup(initial ?? newCondition(scope)));
  const apply = () => {
    const complete = completeOnly(draft);
    onApply(complete.children.length > 0 ? complete : null);
  };
  return (
    <section className="ac-filter-panel" aria-label={t("list.editFilter")}>
      <PredicateBuilder value={draft} onChange={setDraft} scope={scope} label={t("list.editFilter")} />
      <div className="ac-filter-panel__foot">
        <Button onClick={apply}>{t("list.applyFilter")}</Button>
        <Button variant="default" onClick={onClose}>
          {t("shell:action.close")}
        </Button>
      </div>
    </section>
  );
}
