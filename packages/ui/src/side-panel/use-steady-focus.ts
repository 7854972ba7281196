/** Keeps the focused element of a scrolled area where it is on screen while content above it comes and goes. */
import { useEffect, type RefObject } from "react";

/**
 * Browsers anchor the scroll position of an area only once it is scrolled. At its top, content that appears above an
 * input pushes it away from the pointer, or out of sight, and an open list of choices closes with it.
 */
export function useSteadyFocus(area: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const [scrolled, inside] = [area.current, content.current];
    if (!scrolled || !inside) return;
    let kept: { element: Element; top: number } | null = null;
    const keep = () => {
      const element = document.activeElement;
      kept = element && scrolled.contains(element) ? { element, top: element.getBoundingClientRect().top } : null;
    };
    const restore = () => {
      if (kept?.element === document.activeElement)
        scrolled.scrollTop += kept.element.getBoundingClientRect().top - kept.top;
      keep();
    };
    const resized = new ResizeObserver(restore);
    resized.observe(inside);
    scrolled.addEventListener("focusin", keep);
    scrolled.addEventListener("scroll", keep);
    return () => {
      resized.disconnect();
      scrolled.removeEventListener("focusin", keep);
      scrolled.removeEventListener("scroll", keep);
    };
  }, [area, content]);
}
