/** Colours of single series, categories, slices or stages, chosen by their names as the chart shows them. */
import { cardModel, colorableNames } from "@accord/cards/views";
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { useMemo } from "react";
import { useWords } from "../../../app/words.ts";
import { useChartWords } from "../parts/chart-words.ts";
import { ColorSelect } from "./color-select.tsx";

/** As many as a configuration holds. */
const MAX_COLORS = 50;

export function CategoryColors({
  card,
  data,
  onChange,
}: {
  card: CardConfiguration;
  data: CardData;
  onChange: (card: CardConfiguration) => void;
}) {
  const { t } = useWords("insights");
  const words = useChartWords();
  const names = useMemo(
    () => colorableNames(cardModel(card, data, words), card.vizType).slice(0, MAX_COLORS),
    [card, data, words],
  );
  if (names.length === 0) return null;
  const colors = new Map(card.categoryValues.map(({ name, color }) => [name, color]));
  const set = (name: string, color: string | undefined): void => {
    const others = card.categoryValues.filter((one) => one.name !== name);
    onChange({ ...card, categoryValues: color ? [...others, { name, color }].slice(-MAX_COLORS) : others });
  };
  return (
    <fieldset className="ac-slot">
      <legend>{t("wizard.categoryColors")}</legend>
      <ul className="ac-category-colors">
        {names.map((name) => (
          <li key={name}>
            <ColorSelect
              label={t("wizard.colorOf", { name })}
              theme={card.colorTheme}
              value={colors.get(name)}
              onChange={(color) => set(name, color)}
            />
            <span>{name}</span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
