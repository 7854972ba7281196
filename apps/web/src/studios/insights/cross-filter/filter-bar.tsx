/** What a dashboard is filtered by: one chip for each card whose marks were chosen, and which cards it leaves alone. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import type { CrossFilter, Unfiltered } from "@accord/contracts/insights/cross-filter";
import { Button, CloseButton, Popover } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { type UseQueryOptions, useQueries } from "@tanstack/react-query";
import { useWords } from "../../../app/words.ts";
import { useFilterText } from "./filter-texts.ts";
import type { DashboardFilters } from "./use-cross-filters.ts";
import "./filter-bar.css";

interface Answer {
  data: CardData;
  unfiltered: Unfiltered[];
}

export interface FilteredCard {
  id: string;
  displayName: string;
  configuration: CardConfiguration;
  /** What its tile asks; read from what was answered already. */
  query: Pick<UseQueryOptions<Answer>, "queryKey" | "queryFn">;
}

export function FilterBar({ filters, cards }: { filters: DashboardFilters; cards: readonly FilteredCard[] }) {
  const { t } = useWords("insights");
  const textOf = useFilterText();
  const answers = useQueries({ queries: cards.map(({ query }) => ({ ...query, enabled: false })) });
  const unfilteredBy = (filter: CrossFilter): UnfilteredCard[] =>
    cards.flatMap(({ displayName }, at) =>
      (answers[at]?.data?.unfiltered ?? [])
        .filter(({ cardId }) => cardId === filter.cardId)
        .map((why) => ({ name: displayName, ...why })),
    );
  return (
    <section className="ac-filter-bar" aria-label={t("crossFilter.title")}>
      <IconFilter size={16} aria-hidden="true" />
      <ul aria-live="polite">
        {filters.filters.map((filter) => {
          const at = cards.findIndex(({ id }) => id === filter.cardId);
          const card = cards[at];
          if (!card) return null;
          const { configuration, displayName } = card;
          const text = textOf(filter.marks, { configuration, data: answers[at]?.data?.data });
          return (
            <li key={filter.cardId} className="ac-filter-chip" title={t("crossFilter.from", { card: displayName })}>
              <span>{text}</span>
              <LeftAlone text={text} cards={unfilteredBy(filter)} />
              <CloseButton
                size="sm"
                aria-label={t("crossFilter.remove", { filter: text })}
                onClick={() => filters.remove(filter.cardId)}
              />
            </li>
          );
        })}
      </ul>
      {filters.filters.length > 1 ? (
        <Button variant="subtle" size="compact-sm" onClick={filters.clear}>
          {t("crossFilter.clear")}
        </Button>
      ) : null}
    </section>
  );
}

interface UnfilteredCard extends Unfiltered {
  name: string;
}

/** How many cards the filter does not restrict; which and why, when asked. */
function LeftAlone({ text, cards }: { text: string; cards: readonly UnfilteredCard[] }) {
  const { t } = useWords("insights");
  if (cards.length === 0) return null;
  const isMissing = cards.every(({ reason }) => reason === "column_missing");
  const count = cards.length;
  return (
    <Popover width={320} position="bottom-start" trapFocus withArrow>
      <Popover.Target>
        <Button variant="subtle" size="compact-sm" className="ac-filter-chip__left">
          {isMissing ? t("crossFilter.withoutColumn", { count }) : t("crossFilter.unfiltered", { count })}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("crossFilter.unfilteredBy", { filter: text })}>
        {/* What is open takes the focus, so that Escape closes it and nothing else. */}
        <ul className="ac-left-alone" tabIndex={-1} data-autofocus>
          {cards.map(({ name, reason, column }) => (
            <li key={name + reason}>
              <strong>{name}</strong> <span>{t(`crossFilter.reason.${reason}`, { column })}</span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
