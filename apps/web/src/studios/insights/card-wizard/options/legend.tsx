/** The legend of a chart, and the numbers in it. */
import { legendPositionOf } from "@accord/cards/definitions";
import { Checkbox, SegmentedControl } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import type { OptionProps } from "./option-props.ts";

export function Legend({ card, definition, onChange }: OptionProps) {
  const { t } = useWords("insights");
  return (
    <div className="ac-form__pair">
      <Checkbox
        label={t("wizard.legend")}
        checked={card.legendVisible}
        onChange={(event) => onChange({ ...card, legendVisible: event.currentTarget.checked })}
      />
      <SegmentedControl
        aria-label={t("wizard.legendPosition")}
        value={legendPositionOf(card, definition)}
        data={definition.legendPositions.map((value) => ({ value, label: t(`wizard.position.${value}`) }))}
        onChange={(next) =>
          onChange({ ...card, legendPosition: definition.legendPositions.find((one) => one === next) })
        }
      />
    </div>
  );
}

export function Values({ card, onChange }: OptionProps) {
  const { t } = useWords("insights");
  return (
    <Checkbox
      label={t("wizard.values")}
      checked={card.labelVisible}
      onChange={(event) => onChange({ ...card, labelVisible: event.currentTarget.checked })}
    />
  );
}
