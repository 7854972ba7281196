/** Colours, legend and the numbers in a chart. */
import type { CardData } from "@accord/contracts/insights/cards";
import { Select } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { CategoryColors } from "./category-colors.tsx";
import { OptionControls } from "./options/option-controls.tsx";
import type { OptionProps } from "./options/option-props.ts";

export function AppearanceForm({
  card,
  definition,
  data,
  onChange,
}: OptionProps & {
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
      <OptionControls tab="appearance" card={card} definition={definition} onChange={onChange} />
      {data ? <CategoryColors card={card} data={data} onChange={onChange} /> : null}
    </div>
  );
}
