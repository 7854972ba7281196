/** How a card looks: its label, and what its type has beside: stacking, axes, small slices, the order of stages. */
import type { CardDefinition } from "@accord/cards/definitions";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { Checkbox, Group, NumberInput, SegmentedControl, Select, TagsInput, TextInput } from "@mantine/core";
import { useWords } from "../../../app/words.ts";

export interface LookProps {
  card: CardConfiguration;
  definition: CardDefinition;
  onChange: (card: CardConfiguration) => void;
}

/** Label and its place: every type has them, and a change of type keeps them. */
export function LabelForm({ card, onChange }: Pick<LookProps, "card" | "onChange">) {
  const { t } = useWords("insights");
  return (
    <div className="ac-form ac-card-step__label">
      <TextInput
        label={t("wizard.label")}
        description={t("wizard.labelHelp", { variable: "{{variable}}" })}
        value={card.vizLabel}
        onChange={(event) => onChange({ ...card, vizLabel: event.currentTarget.value })}
      />
      <Group gap="md">
        <Checkbox
          label={t("wizard.showLabel")}
          checked={card.vizLabelVisible}
          onChange={(event) => onChange({ ...card, vizLabelVisible: event.currentTarget.checked })}
        />
        <SegmentedControl
          aria-label={t("wizard.labelPosition")}
          value={card.vizLabelPosition}
          data={(["TOP", "BOTTOM"] as const).map((value) => ({ value, label: t(`wizard.position.${value}`) }))}
          onChange={(next) => onChange({ ...card, vizLabelPosition: next === "BOTTOM" ? "BOTTOM" : "TOP" })}
        />
      </Group>
    </div>
  );
}

export function StyleForm({ card, definition, onChange }: LookProps) {
  const { t } = useWords("insights");
  return (
    <div className="ac-form">
      {definition.axes ? (
        <>
          <Select
            label={t("wizard.stacking")}
            allowDeselect={false}
            value={card.stacking ?? "none"}
            data={[
              { value: "none", label: t("wizard.stackNone") },
              { value: "normal", label: t("wizard.stackNormal") },
              { value: "percent", label: t("wizard.stackPercent") },
            ]}
            onChange={(next) =>
              onChange({ ...card, stacking: next === "normal" || next === "percent" ? next : undefined })
            }
          />
          <AxisStyle card={card} definition={definition} onChange={onChange} />
        </>
      ) : null}
      {card.vizType === "PIE" ? <PieStyle card={card} definition={definition} onChange={onChange} /> : null}
      {card.vizType === "FUNNEL" ? <FunnelStyle card={card} definition={definition} onChange={onChange} /> : null}
    </div>
  );
}

/** Titles along the axes, and a goal or limit across them. */
function AxisStyle({ card, onChange }: LookProps) {
  const { t } = useWords("insights");
  const titles = card.axisTitles ?? { category: "", value: "" };
  const line = card.referenceLine;
  const setTitles = (change: Partial<typeof titles>): void => {
    const next = { ...titles, ...change };
    onChange({ ...card, axisTitles: next.category || next.value ? next : undefined });
  };
  return (
    <>
      <div className="ac-form__pair">
        <TextInput
          label={t("wizard.categoryTitle")}
          maxLength={120}
          value={titles.category}
          onChange={(event) => setTitles({ category: event.currentTarget.value })}
        />
        <TextInput
          label={t("wizard.valueTitle")}
          maxLength={120}
          value={titles.value}
          onChange={(event) => setTitles({ value: event.currentTarget.value })}
        />
      </div>
      <div className="ac-form__pair">
        <NumberInput
          label={t("wizard.referenceValue")}
          description={t(card.stacking === "percent" ? "wizard.referenceOff" : "wizard.referenceHelp")}
          disabled={card.stacking === "percent"}
          value={line?.value ?? ""}
          onChange={(value) =>
            onChange({
              ...card,
              referenceLine: value === "" ? undefined : { label: line?.label ?? "", value: Number(value) },
            })
          }
        />
        <TextInput
          label={t("wizard.referenceLabel")}
          disabled={!line || card.stacking === "percent"}
          maxLength={60}
          value={line?.label ?? ""}
          onChange={(event) =>
            line && onChange({ ...card, referenceLine: { ...line, label: event.currentTarget.value } })
          }
        />
      </div>
    </>
  );
}

function PieStyle({ card, onChange }: LookProps) {
  const { t } = useWords("insights");
  const least = card.minimumValue ?? { value: 0, label: "", applyToSubCategories: false };
  return (
    <>
      <div className="ac-form__pair">
        <NumberInput
          label={t("wizard.minimumSlice")}
          value={least.value}
          onChange={(value) => onChange({ ...card, minimumValue: { ...least, value: Number(value) } })}
        />
        <TextInput
          label={t("wizard.minimumLabel")}
          value={least.label}
          onChange={(event) => onChange({ ...card, minimumValue: { ...least, label: event.currentTarget.value } })}
        />
      </div>
      <Checkbox
        label={t("wizard.applySub")}
        checked={least.applyToSubCategories}
        onChange={(event) =>
          onChange({ ...card, minimumValue: { ...least, applyToSubCategories: event.currentTarget.checked } })
        }
      />
    </>
  );
}

function FunnelStyle({ card, onChange }: LookProps) {
  const { t } = useWords("insights");
  return (
    <>
      <div className="ac-form__pair">
        <Select
          label={t("wizard.sortBy")}
          allowDeselect={false}
          value={card.sortBy ?? "value"}
          data={[
            { value: "value", label: t("wizard.sortValue") },
            { value: "stage", label: t("wizard.sortStage") },
          ]}
          onChange={(next) => onChange({ ...card, sortBy: next === "stage" ? "stage" : "value" })}
        />
        <Select
          label={t("wizard.additional")}
          allowDeselect={false}
          value={card.displayAdditional ?? "labels"}
          data={(["labels", "legends", "step_to_step_ratio"] as const).map((value) => ({
            value,
            label: t(`wizard.additionals.${value}`),
          }))}
          onChange={(next) => onChange({ ...card, displayAdditional: (next ?? "labels") as "labels" })}
        />
      </div>
      <Checkbox
        label={t("wizard.ascending")}
        checked={card.ascending ?? false}
        onChange={(event) => onChange({ ...card, ascending: event.currentTarget.checked })}
      />
      <SegmentedControl
        aria-label={t("wizard.funnelLabels")}
        value={card.labelPosition ?? "RIGHT"}
        data={[
          { value: "RIGHT", label: t("wizard.position.RIGHT") },
          { value: "INSIDE", label: t("wizard.inside") },
        ]}
        onChange={(next) => onChange({ ...card, labelPosition: next === "INSIDE" ? "INSIDE" : "RIGHT" })}
      />
      <TagsInput
        label={t("wizard.stages")}
        description={t("wizard.stagesHelp")}
        maxTags={20}
        value={card.stages}
        onChange={(stages) => onChange({ ...card, stages })}
        clearButtonProps={{ "aria-label": t("shell:action.clear") }}
      />
    </>
  );
}
