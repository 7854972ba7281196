/** Ranges of a number, with names, limits and colours. */
import { nextRange, problemsOfCard } from "@accord/cards/definitions";
import type { CardRange } from "@accord/contracts/insights/cards";
import { ActionIcon, Button, NumberInput, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useWords } from "../../../../app/words.ts";
import { ColorSelect } from "../color-select.tsx";
import type { OptionProps } from "./option-props.ts";

export function Ranges({ card, onChange }: OptionProps) {
  const { t } = useWords("insights");
  const problems = problemsOfCard(card);
  const set = (at: number, change: Partial<CardRange>): void =>
    onChange({ ...card, ranges: card.ranges.map((range, place) => (place === at ? { ...range, ...change } : range)) });
  const problemAt = (path: string): string | undefined => {
    const found = problems.find((one) => one.path === path);
    return found && String(t(`cardProblem.${found.code}`, found.facts as never));
  };
  return (
    <fieldset className="ac-slot">
      <legend>{t("slot.ranges")}</legend>
      {card.ranges.map((range, at) => (
        <div key={at} className="ac-range">
          <TextInput
            aria-label={t("wizard.rangeName")}
            placeholder={t("wizard.rangeName")}
            value={range.name}
            error={problemAt(`ranges.${at}.name`)}
            onChange={(event) => set(at, { name: event.currentTarget.value })}
          />
          <NumberInput
            aria-label={t("wizard.minimum")}
            value={range.minimumValue}
            error={problemAt(`ranges.${at}.minimumValue`)}
            onChange={(value) => set(at, { minimumValue: Number(value) })}
          />
          <NumberInput
            aria-label={t("wizard.maximum")}
            value={range.maximumValue}
            error={problemAt(`ranges.${at}.maximumValue`)}
            onChange={(value) => set(at, { maximumValue: Number(value) })}
          />
          <ColorSelect
            label={t("wizard.color")}
            value={range.color}
            onChange={(color) => set(at, { color: color ?? "chart-1" })}
          />
          <ActionIcon
            variant="subtle"
            color="idle"
            aria-label={t("wizard.removeEntry", { name: range.name })}
            onClick={() => onChange({ ...card, ranges: card.ranges.filter((_, place) => place !== at) })}
          >
            <IconX size={15} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconPlus size={15} />}
        onClick={() => onChange({ ...card, ranges: [...card.ranges, nextRange(card.ranges)] })}
      >
        {t("wizard.addRange")}
      </Button>
    </fieldset>
  );
}
