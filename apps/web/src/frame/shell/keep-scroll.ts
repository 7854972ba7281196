/**
 * Scroll positions of screens: Back and Forward return to where a screen was left, another screen begins at its top,
 * and what only changes the query of an address moves nothing. The router's own restoration knows elements by their
 * place in the document, so a form that opens was scrolled to where another form in that place had been.
 */
import type { AnyRouter, ParsedLocation } from "@tanstack/react-router";

/** Entries of the history whose positions are kept. */
const MOST_ENTRIES = 200;

const keyOf = (location: ParsedLocation): string => location.state.__TSR_key ?? location.href;

/** The areas that hold the content of a screen, by name; those of panels, forms and lists beside it are none. */
const areas = (): [name: string, area: Element][] =>
  [...document.querySelectorAll("[data-scroll-area]")].map((area) => [
    area.getAttribute("data-scroll-area") ?? "",
    area,
  ]);

/** Answers what ends it. */
export function keepScroll(router: AnyRouter): () => void {
  const kept = new Map<string, ReadonlyMap<string, number>>();
  const leaves = router.subscribe("onBeforeLoad", ({ fromLocation, pathChanged }) => {
    if (!fromLocation || !pathChanged) return;
    kept.delete(keyOf(fromLocation));
    kept.set(keyOf(fromLocation), new Map(areas().map(([name, { scrollTop }]) => [name, scrollTop])));
    for (const oldest of [...kept.keys()].slice(0, -MOST_ENTRIES)) kept.delete(oldest);
  });
  const arrives = router.subscribe("onRendered", ({ toLocation, pathChanged }) => {
    if (!pathChanged) return;
    const tops = kept.get(keyOf(toLocation));
    for (const [name, area] of areas()) area.scrollTop = tops?.get(name) ?? 0;
  });
  return () => {
    leaves();
    arrives();
  };
}
