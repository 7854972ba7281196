/** The setup of any card type, made from its slots: which columns stand where, how they are folded and shown. */
import { aggregateType } from "@accord/analytics-engine";
import { type CardSlot, formatOf, isNumberColumn, orderWithout } from "@accord/cards/definitions";
import {
  type AxisEntry,
  type CardConfiguration,
  cardShapeOf,
  DISPLAY_FORMATS,
  heldEntries,
} from "@accord/contracts/insights/card-configuration";
import { AGGREGATES, type DatasetColumn, DATE_GRAINS, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { ActionIcon, Button, Select, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { ColorSelect } from "./color-select.tsx";
import { OptionControls } from "./options/option-controls.tsx";
import type { OptionProps } from "./options/option-props.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

export interface SetupFormProps extends OptionProps {
  columns: readonly DatasetColumn[];
}

const DATES: ReadonlySet<string> = new Set(["date", "datetime", "timestamp"]);

export function SetupForm(props: SetupFormProps) {
  return (
    <div className="ac-form">
      {props.definition.slots.map((slot) => (
        <Slot key={slot.path} slot={slot} {...props} />
      ))}
      <OptionControls tab="setup" {...props} />
    </div>
  );
}

function withEntries(card: CardConfiguration, slot: CardSlot, entries: AxisEntry[]): CardConfiguration {
  return { ...card, [slot.path]: slot.cardinality === "list" ? entries : entries[0] };
}

function Slot({ slot, card, definition, columns, onChange }: SetupFormProps & { slot: CardSlot }) {
  const { t } = useWords("insights");
  const [asking, setAsking] = useState(false);
  const { path } = slot;
  const entries = heldEntries(card, path);
  const isSingle = slot.cardinality === "one" || path === "series" || cardShapeOf(definition.type).kind === "number";
  const isSeriesOff = path === "series" && card.yaxis.length > 1;
  const isAfter = slot.after !== undefined && !heldEntries(card, slot.after)[0]?.column;
  const shown = entries.length === 0 ? [undefined] : isSingle ? entries.slice(0, 1) : entries;
  const set = (at: number, entry: AxisEntry | undefined): void => {
    const next = entry ? (entries.length === 0 ? [entry] : entries.with(at, entry)) : entries.toSpliced(at, 1);
    const isGone = !entry && path === "columns";
    const rowOrder = isGone ? orderWithout(card.rowOrder, at) : card.rowOrder;
    onChange(withEntries({ ...card, rowOrder }, slot, next));
  };
  const blank: AxisEntry = { column: "", name: "", displayName: "" };
  const add = (): void =>
    onChange(withEntries({ ...card, ...(path === "yaxis" ? { series: [] } : {}) }, slot, [...entries, blank]));
  return (
    <fieldset className="ac-slot" disabled={isSeriesOff || isAfter}>
      <legend>
        {t(`slot.${slot.path}`)}
        {slot.required ? (
          <span className="ac-slot__required" aria-hidden="true">
            {" *"}
          </span>
        ) : null}
      </legend>
      {shown.map((entry, at) => (
        <Entry
          key={at}
          slot={slot}
          entry={entry}
          vizType={definition.type}
          columns={columns}
          removable={entries.length > (slot.required ? 1 : 0)}
          onChange={(next) => set(at, next)}
        />
      ))}
      {isSeriesOff ? <p className="ac-quiet">{t("wizard.seriesOff")}</p> : null}
      {isAfter ? <p className="ac-quiet">{t("wizard.subOff")}</p> : null}
      {!isSingle && entries.length > 0 ? (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconPlus size={15} />}
          onClick={() => (path === "yaxis" && card.series.length > 0 ? setAsking(true) : add())}
        >
          {t(path === "columns" ? "wizard.addColumn" : "wizard.addMetric")}
        </Button>
      ) : null}
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={t("wizard.seriesWarnTitle")}
        action={t("wizard.seriesWarnDeed")}
        onConfirm={() => (add(), setAsking(false))}
      >
        {t("wizard.seriesWarnBody")}
      </ConfirmDialog>
    </fieldset>
  );
}

interface EntryProps {
  slot: CardSlot;
  entry: AxisEntry | undefined;
  vizType: CardConfiguration["vizType"];
  columns: readonly DatasetColumn[];
  removable: boolean;
  onChange: (entry: AxisEntry | undefined) => void;
}

function Entry({ slot, entry, vizType, columns, removable, onChange }: EntryProps) {
  const { t } = useWords("insights");
  const rowCount: DatasetColumn = { name: ROW_COUNT, displayName: t("wizard.rowCount"), dataType: "integer" };
  // A column that stands there already (the count of different texts, say) is never taken away unasked.
  const offered = slot.numeric
    ? [rowCount, ...columns.filter((one) => isNumberColumn(one) || one.name === entry?.column)]
    : slot.path === "columns"
      ? [...columns, rowCount]
      : columns;
  const column = offered.find(({ name }) => name === entry?.column);
  const choose = (name: string | null): void => {
    const next = offered.find((one) => one.name === name);
    if (!next) return onChange(undefined);
    onChange({
      column: next.name,
      name: next.name === ROW_COUNT ? "count" : next.name,
      displayName: next.displayName,
      displayFormat: formatOf(next),
      ...(slot.numeric && next.name !== ROW_COUNT ? { aggregate: "sum" as const } : {}),
      ...(!slot.numeric && slot.path !== "columns" && DATES.has(next.dataType) ? { grain: "month" as const } : {}),
      ...(entry?.color ? { color: entry.color } : {}),
    });
  };
  const set = (change: Partial<AxisEntry>): void => entry && onChange({ ...entry, ...change });
  const folds = column && column.name !== ROW_COUNT && (slot.numeric || cardShapeOf(vizType).kind === "rows");
  const label = t(`slot.${slot.path}`);
  return (
    <div className="ac-entry">
      <div className="ac-entry__line">
        <Select
          aria-label={`${label}: ${t("wizard.column")}`}
          placeholder={t(slot.numeric ? "wizard.chooseNumber" : "wizard.chooseColumn")}
          searchable
          value={entry?.column || null}
          data={offered.map(({ name, displayName }) => ({ value: name, label: displayName }))}
          onChange={choose}
        />
        {removable ? (
          <ActionIcon
            variant="subtle"
            color="idle"
            aria-label={t("wizard.removeEntry", { name: entry?.displayName ?? label })}
            onClick={() => onChange(undefined)}
          >
            <IconX size={15} />
          </ActionIcon>
        ) : null}
      </div>
      {entry && column ? (
        <div className="ac-entry__more">
          <TextInput
            aria-label={`${label}: ${t("wizard.shownAs")}`}
            value={entry.displayName}
            onChange={(event) => set({ displayName: event.currentTarget.value })}
          />
          {folds ? (
            <Select
              aria-label={`${label}: ${t("wizard.aggregate")}`}
              allowDeselect={false}
              value={entry.aggregate ?? "asIs"}
              data={[
                ...(slot.path === "columns" ? [{ value: "asIs", label: t("wizard.asIs") }] : []),
                ...AGGREGATES.filter((fn) => aggregateType(fn, column.dataType)).map((fn) => ({
                  value: fn,
                  label: t(`aggregates.${fn}`),
                })),
              ]}
              onChange={(fn) => set({ aggregate: fn === "asIs" ? undefined : (fn as "sum") })}
            />
          ) : null}
          {!slot.numeric && DATES.has(column.dataType) ? (
            <Select
              aria-label={`${label}: ${t("wizard.grain")}`}
              allowDeselect={false}
              value={entry.grain ?? "none"}
              data={[
                { value: "none", label: t("wizard.noGrain") },
                ...DATE_GRAINS.map((grain) => ({ value: grain, label: t(`grains.${grain}`) })),
              ]}
              onChange={(grain) => set({ grain: grain === "none" ? undefined : (grain as "day") })}
            />
          ) : null}
          {slot.format ? (
            <Select
              aria-label={`${label}: ${t("wizard.format")}`}
              allowDeselect={false}
              value={entry.displayFormat ?? null}
              data={DISPLAY_FORMATS.map((format) => ({ value: format, label: t(`wizard.formats.${format}`) }))}
              onChange={(format) => set({ displayFormat: (format ?? "text") as "text" })}
            />
          ) : null}
          {slot.numeric ? (
            <ColorSelect
              label={`${label}: ${t("wizard.color")}`}
              value={entry.color}
              onChange={(color) => set({ color })}
            />
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
