/** One chart in a box: follows the box's size and the option given, says in words what it shows, and takes keys. */
import type { VizType } from "@accord/contracts/insights/cards";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { modelSummary } from "../card-model.ts";
import type { CardModel } from "../models.ts";
import { chartMarks } from "../chart-marks.ts";
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import { isAdding, type OnMark } from "../mark-target.ts";
import { emphasized, isChosen } from "./chosen-marks.ts";
import { type Chart as Drawn, type ChartOption, startChart } from "./echarts.ts";
import { useMarkKeys } from "./use-mark-keys.ts";
import { type ChartWords, ENGLISH } from "./words.ts";

export interface Size {
  width: number;
  height: number;
}

export interface ChartProps {
  /** Gets the box's size, so that labels can be thinned out before they would be cut. */
  option: (size: Size) => ChartOption;
  /** What the option draws: marks, their words and the summary come from it. */
  model: CardModel;
  /** As it is drawn: a donut of negative values is a bar chart. */
  kind: VizType;
  name?: string | undefined;
  words?: ChartWords | undefined;
  onMark?: OnMark | undefined;
  chosen?: readonly FilterMark[] | undefined;
}

const NONE: readonly FilterMark[] = [];

export function Chart({ option, model, kind, name, words = ENGLISH, onMark, chosen = NONE }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const marks = useMemo(() => chartMarks(model, words), [model, words]);
  const drawing = useCallback((at: Size) => emphasized(option(at), marks, chosen), [option, marks, chosen]);
  const { chart, size } = useDrawing(box, drawing);
  const summary = useMemo(() => modelSummary(model, words), [model, words]);
  const named = useMemo(
    () =>
      marks.map((row) =>
        row.map((mark) =>
          isChosen(mark.target?.mark, chosen) ? { ...mark, words: `${mark.words}, ${words.chosen}` } : mark,
        ),
      ),
    [marks, chosen, words],
  );
  const { said, isReached, handlers } = useMarkKeys({ chart, box, marks: named, words, onMark });
  const about = useId();

  useEffect(() => {
    const drawn = chart.current;
    if (!drawn || !onMark) return;
    drawn.on("click", ({ seriesIndex, dataIndex, event }) => {
      const at = event?.event;
      if (seriesIndex === undefined || !(at instanceof MouseEvent)) return;
      const target = marks[seriesIndex]?.[dataIndex]?.target;
      if (target) onMark(target, { x: at.clientX, y: at.clientY, height: 0 }, isAdding(at));
    });
    return () => {
      if (!drawn.isDisposed()) drawn.off("click");
    };
  }, [chart, marks, onMark, size]);

  return (
    <div className="ac-chart-box">
      {/* An application: screen readers leave the arrow keys to it. */}
      <div
        role="application"
        tabIndex={0}
        aria-label={[...(name ? [name] : []), words.kindOf(kind)].join(", ")}
        aria-describedby={about}
        className="ac-chart-keys"
        // Escape leaves the mark first, and only then the window that the chart is in.
        data-mantine-stop-propagation={isReached || undefined}
        {...handlers}
      >
        <div ref={box} aria-hidden="true" className="ac-chart" />
      </div>
      <p id={about} hidden>
        {[summary, words.keys, ...(onMark ? [words.enter] : [])].join(" ")}
      </p>
      <p role="status" className="ac-chart-said">
        {said}
      </p>
    </div>
  );
}

function useDrawing(box: React.RefObject<HTMLDivElement | null>, option: ChartProps["option"]) {
  const chart = useRef<Drawn>(null);
  const [size, setSize] = useState<Size | null>(null);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      if (!entry) return;
      const { width, height } = entry.contentRect;
      setSize((old) => (old?.width === width && old.height === height ? old : { width, height }));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);

  useEffect(() => {
    if (!box.current || !size || size.width < 1 || size.height < 1) return;
    chart.current ??= startChart(box.current);
    chart.current.resize(size);
    chart.current.setOption({ ...base(), ...option(size) }, { notMerge: true });
  }, [box, option, size]);

  useEffect(
    () => () => {
      chart.current?.dispose();
      chart.current = null;
    },
    [],
  );
  return { chart, size };
}

function base(): ChartOption {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return {
    animation: !still,
    animationDuration: 260,
    animationDurationUpdate: 160,
    textStyle: { fontFamily: "inherit" },
  };
}
