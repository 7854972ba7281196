/** A text of at most two lines that opens in place: what it hides is one press or key away, and read out whole. */
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useWords } from "../../../../app/words.ts";
import "./activity-drawer.css";

export function LongText({ text, children }: { text: string; children?: ReactNode }) {
  const { t } = useWords("sync");
  const shown = useRef<HTMLSpanElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isCut, setIsCut] = useState(false);
  useEffect(() => {
    const element = shown.current;
    if (!element || isOpen) return;
    const look = new ResizeObserver(() => setIsCut(element.scrollHeight > element.clientHeight + 1));
    look.observe(element);
    return () => look.disconnect();
  }, [text, isOpen]);
  return (
    <div className="ac-long-text">
      <span className="ac-reason" data-open={isOpen || undefined} ref={shown}>
        {text}
      </span>
      {isCut || isOpen || children ? (
        <span className="ac-long-text__more">
          {isCut || isOpen ? (
            <button type="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {t(isOpen ? "quarantine.showLess" : "quarantine.showAll")}
            </button>
          ) : null}
          {children}
        </span>
      ) : null}
    </div>
  );
}
