/** Which cards are shown as tables: each reader's choice, kept in the browser. */
import { useState } from "react";
import { z } from "zod";
import { keepInBrowser, readInBrowser } from "../../../shared/browser-storage.ts";

const KEY = "accord.cards-as-table";
/** The oldest choices go first, so that cards deleted since don't pile up. */
const MOST = 500;

const kept = (): string[] => readInBrowser(KEY, z.array(z.string())) ?? [];

export function useTableChoice(cardId: string): [boolean, (asTable: boolean) => void] {
  const [asTable, setAsTable] = useState(() => kept().includes(cardId));
  const choose = (next: boolean): void => {
    setAsTable(next);
    const others = kept().filter((id) => id !== cardId);
    keepInBrowser(KEY, next ? [...others, cardId].slice(-MOST) : others);
  };
  return [asTable, choose];
}
