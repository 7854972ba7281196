/** Keys of a chart: they reach its marks, whose outline, tooltip and words follow, and open what a click opens. */
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { ChartMarks } from "../chart-marks.ts";
import { isAdding, type OnMark } from "../mark-target.ts";
import type { Chart } from "./echarts.ts";
import { isShown, type MarkPlace, MarkRing } from "./mark-ring.ts";
import { isWalkKey, type Reached, walk } from "./mark-walk.ts";
import type { ChartWords } from "./words.ts";

interface MarkKeys {
  chart: RefObject<Chart | null>;
  box: RefObject<HTMLDivElement | null>;
  marks: ChartMarks;
  words: ChartWords;
  onMark: OnMark | undefined;
}

export function useMarkKeys({ chart, box, marks, words, onMark }: MarkKeys) {
  const [reached, setReached] = useState<Reached | null>(null);
  const [said, setSaid] = useState("");
  const [hasFocus, setHasFocus] = useState(false);
  const ring = useRef<MarkRing>(null);
  const mark = reached ? marks[reached.series]?.[reached.index] : undefined;

  useEffect(() => {
    const drawn = chart.current;
    if (!drawn || !box.current || !reached || !mark || !hasFocus) return;
    const place: MarkPlace = { ...reached, at: mark.at };
    const own = (ring.current ??= new MarkRing(drawn, box.current));
    const follow = (): void => own.put(place);
    follow();
    drawn.on("finished", follow);
    return () => {
      if (drawn.isDisposed()) return;
      drawn.off("finished", follow);
      own.hide();
    };
  }, [chart, box, reached, mark, hasFocus]);

  /** Enter does what a click does; where that leads nowhere, the reason is said. */
  const open = (adds: boolean): void => {
    if (!reached || !mark) return;
    if (!onMark) return setSaid(words.notOffered);
    if (!mark.target) return setSaid(words.noRecords);
    const at = ring.current?.placeOf({ ...reached, at: mark.at });
    if (at) onMark(mark.target, at, adds);
  };
  const leave = (): void => {
    setReached(null);
    setSaid("");
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const drawn = chart.current;
    const isEnter = event.key === "Enter" || event.key === " ";
    if (!drawn || event.altKey || ((event.ctrlKey || event.metaKey) && !isEnter)) return;
    if (isWalkKey(event.key)) {
      const next = walk(marks, reached, event.key, (series, index) => isShown(drawn, series, index));
      setReached(next);
      setSaid(next ? (marks[next.series]?.[next.index]?.words ?? "") : "");
    } else if (reached && isEnter) open(isAdding(event));
    else if (reached && event.key === "Escape") leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    said,
    isReached: reached !== null,
    handlers: {
      onKeyDown,
      onFocus: () => setHasFocus(true),
      onBlur: () => setHasFocus(false),
      onPointerDown: leave,
    },
  };
}
