/** What a mark of a card leads to, as a dialog where the mark is: filters of the dashboard, and the records behind it. */
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import type { MarkPlace, MarkTarget } from "@accord/cards/views";
import { formatNumber } from "@accord/cards/definitions";
import { CloseButton, Popover, Portal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useId, useRef } from "react";
import { FilterChoices } from "../cross-filter/filter-choices.tsx";
import type { FilterCard } from "../cross-filter/filter-texts.ts";
import type { CardFilter } from "../cross-filter/use-cross-filters.ts";
import { useWords } from "../../../app/words.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import type { RecordsOf } from "../parts/queries.ts";

export interface ChosenMark extends MarkTarget {
  at: MarkPlace;
  /** What had the focus, and gets it back. */
  from: Element | null;
}

export function MarkOffer({
  chosen,
  recordsOf,
  filter,
  onClose,
}: {
  chosen: ChosenMark;
  recordsOf: RecordsOf | undefined;
  /** What the dashboard can be filtered by here. */
  filter: { choices: readonly FilterMark[]; card: FilterCard; choose: CardFilter["choose"] } | undefined;
  onClose: () => void;
}) {
  const { t } = useWords("insights");
  const title = useId();
  const isFiltering = filter !== undefined && filter.choices.length > 0;
  const { x, y, height } = chosen.at;
  const dialog = useRef<HTMLDivElement>(null);
  const close = (): void => {
    const hasFocus = dialog.current?.contains(document.activeElement) ?? false;
    onClose();
    if (hasFocus && chosen.from instanceof HTMLElement) chosen.from.focus();
  };
  return (
    // Inside a card that can be dragged, fixed positions are relative to the card instead of the screen.
    <Portal>
      <Popover opened onChange={(opened) => !opened && close()} trapFocus withArrow withRoles={false}>
        <Popover.Target>
          <span className="ac-mark-place" style={{ left: x, top: y, height }} />
        </Popover.Target>
        <Popover.Dropdown ref={dialog} className="ac-mark-offer" role="dialog" aria-labelledby={title}>
          <div className="ac-mark-offer__head">
            <strong id={title}>{chosen.label}</strong>
            <CloseButton size="sm" aria-label={t("records.close")} onClick={close} />
          </div>
          {isFiltering ? (
            <FilterChoices
              choices={filter.choices}
              card={filter.card}
              onChoose={(mark) => {
                const isChosen = filter.choose(mark, false);
                if (isChosen) close();
                return isChosen;
              }}
            />
          ) : null}
          {recordsOf ? <Found query={recordsOf(chosen.mark)} takesFocus={!isFiltering} /> : null}
        </Popover.Dropdown>
      </Popover>
    </Portal>
  );
}

/** What was found can be followed by Enter at once. */
const takeFocus = (link: HTMLAnchorElement | null): void => link?.focus();

function Found({ query: options, takesFocus }: { query: ReturnType<RecordsOf>; takesFocus: boolean }) {
  const { t } = useWords("insights");
  const query = useQuery({ ...options, retry: false });
  if (query.isError) return <RefusalBox error={query.error} />;
  if (!query.data) return <p aria-busy="true">{t("records.searching")}</p>;
  const found = query.data;
  if (found.kind === "none") return <p role="status">{t(`noRecords.${found.reason}`, { name: found.name })}</p>;
  if (found.count === 0) return <p role="status">{t("records.none")}</p>;
  return (
    <Link
      ref={takesFocus ? takeFocus : undefined}
      className="ac-mark-offer__link"
      to="/data-studio/entity/$entityId"
      params={{ entityId: found.entityId }}
      search={found.predicate === null ? {} : { where: JSON.stringify(found.predicate) }}
    >
      {t("records.show", { count: found.count, number: formatNumber(found.count) })}
    </Link>
  );
}
