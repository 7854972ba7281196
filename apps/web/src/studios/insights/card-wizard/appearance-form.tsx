/** Colours, legend and the numbers in a chart. */
import { legendPositionOf } from "@accord/cards/definitions";
import type { CardData } from "@accord/contracts/insights/cards";
import { Checkbox, SegmentedControl, Select } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { CategoryColors } from "./category-colors.tsx";
import type { LookProps } from "./look-forms.tsx";

export function AppearanceForm({
  card,
  definition,
  data,
  onChange,
}: LookProps & {
  /** What the preview draws: colours are offered for its series or categories. */
  data: CardData | undefined;
}) {
  const { t } = useWords("insights");
  const themes = ["default", "ocean", "sunset", "mono"] as const;
  return (
    <div className="ac-form">
      <Select
        label={t("wizard.theme")}
        allowDeselect={false}
        value={card.colorTheme}
        data={themes.map((value) => ({ value, label: t(`wizard.themes.${value}`) }))}
        onChange={(next) => onChange({ ...card, colorTheme: themes.find((one) => one === next) ?? "default" })}
      />
      {definition.legendPositions.length > 0 ? (
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
      ) : null}
      {definition.axes || card.vizType === "PIE" ? (
        <Checkbox
          label={t("wizard.values")}
          checked={card.labelVisible}
          onChange={(event) => onChange({ ...card, labelVisible: event.currentTarget.checked })}
        />
      ) : null}
      {data ? <CategoryColors card={card} data={data} onChange={onChange} /> : null}
    </div>
  );
}
