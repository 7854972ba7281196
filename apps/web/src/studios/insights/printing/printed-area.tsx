/** What is printed of a dashboard's screen: as it is there, fitted to the width of a page, with the time of printing. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useWords } from "../../../app/words.ts";
import "./print.css";

/** What fits across a landscape page of Letter size within margins of 8 mm, in CSS pixels; A4 has a little more. */
const PAGE_WIDTH = 990;

const MOMENT = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "long" });

/** Fits its content to pages, whoever begins to print: a button of the product, or the browser. */
export function PrintedArea({ children }: { children: ReactNode }) {
  const { t } = useWords("insights");
  const area = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Date | null>(null);
  useEffect(() => {
    // What is printed is laid out right after this event: later changes come too late for it.
    const fit = (): void => {
      // The area itself has no box on screen, so that it changes nothing there.
      const width = area.current?.lastElementChild?.clientWidth || PAGE_WIDTH;
      area.current?.style.setProperty("--ac-print-width", `${width}px`);
      area.current?.style.setProperty("--ac-print-zoom", String(Math.min(1, PAGE_WIDTH / width)));
      flushSync(() => setAt(new Date()));
    };
    window.addEventListener("beforeprint", fit);
    return () => window.removeEventListener("beforeprint", fit);
  }, []);
  return (
    <div ref={area} className="ac-printed">
      <p className="ac-printed__at">{at ? t("printedAt", { at: MOMENT.format(at) }) : null}</p>
      {children}
    </div>
  );
}
