/** The label of a card. */
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { Checkbox, Group, SegmentedControl, TextInput } from "@mantine/core";
import { useWords } from "../../../app/words.ts";

interface LabelProps {
  card: CardConfiguration;
  onChange: (card: CardConfiguration) => void;
}

/** Label and its place: every type has them, and a change of type keeps them. */
export function LabelForm({ card, onChange }: LabelProps) {
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
