/** Which cards are shown as tables: each reader's choice, kept in the browser. */
import { useState } from "react";
import { z } from "zod";

const KEY = "accord.cards-as-table";
/** The oldest choices go first, so that cards deleted since don't pile up. */
const MOST = 500;

function kept(): string[] {
  try {
    return z.array(z.string()).parse(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return [];
  }
}

export function useTableChoice(cardId: string): [boolean, (asTable: boolean) => void] {
  const [asTable, setAsTable] = useState(() => kept().includes(cardId));
  const choose = (next: boolean): void => {
    setAsTable(next);
    const others = kept().filter((id) => id !== cardId);
    try {
      localStorage.setItem(KEY, JSON.stringify(next ? [...others, cardId].slice(-MOST) : others));
    } catch {
      // Without storage the choice holds until the page is left.
    }
  };
  return [asTable, choose];
}
