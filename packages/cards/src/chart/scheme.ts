/** The colour scheme the page shows now, so that charts follow a switch of theme at once. */
import { useSyncExternalStore } from "react";
import type { Scheme } from "./palette.ts";

const ATTRIBUTE = "data-mantine-color-scheme";

const read = (): Scheme => (document.documentElement.getAttribute(ATTRIBUTE) === "dark" ? "dark" : "light");

function subscribe(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: [ATTRIBUTE] });
  return () => observer.disconnect();
}

export const useScheme = (): Scheme => useSyncExternalStore(subscribe, read, () => "light");
