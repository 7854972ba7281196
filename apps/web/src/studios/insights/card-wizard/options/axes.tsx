/** Options of charts with two axes: stacking, titles along the axes, and a goal or limit across them. */
import { NumberInput, Select, TextInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { OptionProps } from "./option-props.ts";

export function Stacking({ card, onChange }: OptionProps) {
  const { t } = useWords("insights");
  return (
    <Select
      label={t("wizard.stacking")}
      allowDeselect={false}
      value={card.stacking ?? "none"}
      data={[
        { value: "none", label: t("wizard.stackNone") },
        { value: "normal", label: t("wizard.stackNormal") },
        { value: "percent", label: t("wizard.stackPercent") },
      ]}
      onChange={(next) => onChange({ ...card, stacking: next === "normal" || next === "percent" ? next : undefined })}
    />
  );
}

export function AxisTitles({ card, onChange }: OptionProps) {
  const { t } = useWords("insights");
  const titles = card.axisTitles ?? { category: "", value: "" };
  const setTitles = (change: Partial<typeof titles>): void => {
    const next = { ...titles, ...change };
    onChange({ ...card, axisTitles: next.category || next.value ? next : undefined });
  };
  return (
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
  );
}

export function ReferenceLine({ card, onChange }: OptionProps) {
  const { t } = useWords("insights");
  const line = card.referenceLine;
  return (
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
  );
}
