/** The filters of a dashboard by marks of its cards: kept in its address, changed by marks, chips and Escape. */
import type { CrossFilter, CrossFilters, FilterMark } from "@accord/contracts/insights/cross-filter";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useEffect, useMemo } from "react";
import { filtersOn, withMark, withoutCard, withoutMark } from "./choose-marks.ts";

const NONE: CrossFilters = [];
const NO_MARKS: readonly FilterMark[] = [];

export interface CardFilter {
  /** Marks of the card that the dashboard is filtered by. */
  chosen: readonly FilterMark[];
  /** False where the address would become too long. */
  choose: (mark: FilterMark, adds: boolean) => boolean;
  remove: (mark: FilterMark) => void;
}

export interface DashboardFilters {
  filters: CrossFilters;
  remove: (cardId: string) => void;
  clear: () => void;
  /** What a card does with its marks. */
  of: (cardId: CrossFilter["cardId"]) => CardFilter;
  /** What restricts a card: filters by marks of the others, and its own where theirs were chosen under it. */
  on: (cardId: string) => CrossFilters;
}

/** Filters by marks of cards that are not there any more are left out. */
export function useCrossFilters(cards: readonly { id: string }[]): DashboardFilters {
  const navigate = useNavigate();
  const { filters: given = NONE } = useSearch({ strict: false });
  const ids = cards.map(({ id }) => id).join(" ");
  const filters = useMemo(() => given.filter(({ cardId }) => ids.includes(cardId)), [given, ids]);

  // A step of its own in the history: Back takes the filter away.
  const change = useCallback(
    (next: CrossFilters): void =>
      void navigate({
        to: ".",
        search: (old) => ({ ...old, filters: next.length > 0 ? next : undefined }),
        resetScroll: false,
      }),
    [navigate],
  );
  const remove = useCallback((cardId: string) => change(withoutCard(filters, cardId)), [change, filters]);
  useEscape(() => {
    const newest = filters.at(-1);
    if (newest) remove(newest.cardId);
  }, filters.length > 0);

  return useMemo(
    () => ({
      filters,
      remove,
      clear: () => change(NONE),
      of: (cardId) => ({
        chosen: filters.find((one) => one.cardId === cardId)?.marks ?? NO_MARKS,
        choose: (mark, adds) => {
          const next = withMark(filters, cardId, mark, adds);
          if (next) change(next);
          return next !== null;
        },
        remove: (mark) => change(withoutMark(filters, cardId, mark)),
      }),
      on: (cardId) => filtersOn(filters, cardId),
    }),
    [filters, change, remove],
  );
}

/** Before any other handler of the key, to see what is open that it closes. */
function useEscape(act: () => void, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !isTaken(event.target)) act();
    };
    window.addEventListener("keydown", onKeyDown, { capture: true });
    return () => window.removeEventListener("keydown", onKeyDown, { capture: true });
  }, [act, isOn]);
}

const OPEN = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Something that is open closes first; a mark that keys have reached is left first; a text that is typed stays. */
function isTaken(target: EventTarget | null): boolean {
  if ([...document.querySelectorAll(OPEN)].some((one) => one.checkVisibility())) return true;
  return (
    target instanceof Element &&
    target.closest("[data-mantine-stop-propagation], input, textarea, select, [contenteditable]") !== null
  );
}
