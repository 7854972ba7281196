/** Stages of a funnel: which, in which order, and what stands beside each. */
import { Checkbox, SegmentedControl, Select, TagsInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { OptionProps } from "./option-props.ts";

const ADDITIONALS = ["labels", "legends", "step_to_step_ratio"] as const;

export function Stages({ card, onChange }: OptionProps) {
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
          data={ADDITIONALS.map((value) => ({
            value,
            label: t(`wizard.additionals.${value}`),
          }))}
          onChange={(next) =>
            onChange({ ...card, displayAdditional: ADDITIONALS.find((one) => one === next) ?? "labels" })
          }
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
