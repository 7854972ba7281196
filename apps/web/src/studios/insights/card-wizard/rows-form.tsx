/** Which rows of its dataset a card is about: its own filter, how many are shown, and the order of a table. */
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { cardShapeOf, MAX_TOP } from "@accord/contracts/insights/cards";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { NumberInput, Select } from "@mantine/core";
import { useMemo } from "react";
import { useWords } from "../../../app/words.ts";
import { PredicateBuilder } from "../../../shared/predicate-builder/predicate-builder.tsx";

interface RowsProps {
  card: CardConfiguration;
  columns: readonly DatasetColumn[];
  onChange: (card: CardConfiguration) => void;
}

export function RowsForm({ card, columns, onChange }: RowsProps) {
  const { t } = useWords("insights");
  const scope = useMemo(
    () => ({
      fields: columns.map(({ name, displayName, dataType, labels }) => ({
        ...{ apiName: name, displayName, dataType },
        ...(labels ? { options: Object.entries(labels).map(([id, label]) => ({ id, label })) } : {}),
      })),
    }),
    [columns],
  );
  const { kind } = cardShapeOf(card.vizType);
  return (
    <fieldset className="ac-slot">
      <legend>{t("wizard.rows")}</legend>
      {kind === "number" ? null : (
        <NumberInput
          label={t("wizard.top")}
          description={t(kind === "rows" ? "wizard.topRows" : "wizard.topHelp")}
          min={1}
          max={MAX_TOP}
          allowDecimal={false}
          value={card.top ?? ""}
          onChange={(next) =>
            onChange({ ...card, top: typeof next === "number" && next >= 1 ? Math.min(next, MAX_TOP) : undefined })
          }
        />
      )}
      {kind === "rows" ? <TableOrder card={card} onChange={onChange} /> : null}
      <PredicateBuilder
        value={card.filter}
        scope={scope}
        label={t("wizard.filter")}
        onChange={(filter) => onChange({ ...card, filter: filter.children.length > 0 ? filter : undefined })}
      />
    </fieldset>
  );
}

/** By any of its columns, either way. */
function TableOrder({ card, onChange }: Pick<RowsProps, "card" | "onChange">) {
  const { t } = useWords("insights");
  const { rowOrder } = card;
  const data = card.columns.flatMap(({ column, displayName, name }, at) =>
    column === ""
      ? []
      : [true, false].map((ascending) => ({
          value: `${at} ${ascending}`,
          label: t(ascending ? "wizard.ordersUp" : "wizard.ordersDown", { name: displayName || name }),
        })),
  );
  return (
    <Select
      label={t("wizard.order")}
      placeholder={t("wizard.orderUsual")}
      clearable
      value={rowOrder ? `${rowOrder.column} ${rowOrder.ascending}` : null}
      data={data}
      onChange={(next) => {
        const [at, ascending] = next?.split(" ") ?? [];
        onChange({
          ...card,
          rowOrder: at === undefined ? undefined : { column: Number(at), ascending: ascending === "true" },
        });
      }}
    />
  );
}
