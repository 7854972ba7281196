/** One chart in a box: follows the box's size and the option given, and says in words what it shows. */
import { useEffect, useRef, useState } from "react";
import type { MarkTarget, OnMark } from "../mark-target.ts";
import { type Chart as Drawn, type ChartOption, startChart } from "./echarts.ts";

export interface Size {
  width: number;
  height: number;
}

/** Somebody clicked a mark; `at` is where on the screen. */
export type OnPick = (mark: { series: number; index: number }, at: { x: number; y: number; height: number }) => void;

/** What a click on a mark leads to; undefined where nothing is offered. */
export const pickOf = (
  onMark: OnMark | undefined,
  targetOf: (mark: Parameters<OnPick>[0]) => MarkTarget | null,
): OnPick | undefined =>
  onMark &&
  ((mark, at) => {
    const target = targetOf(mark);
    if (target) onMark(target, at);
  });

/** `option` gets the box's size, so that labels can be thinned out before they would be cut. */
export function Chart({
  option,
  label,
  onPick,
}: {
  option: (size: Size) => ChartOption;
  label: string;
  onPick?: OnPick | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
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
  }, []);

  useEffect(() => {
    if (!box.current || !size || size.width < 1 || size.height < 1) return;
    chart.current ??= startChart(box.current);
    chart.current.resize(size);
    chart.current.setOption({ ...base(), ...option(size) }, { notMerge: true });
  }, [option, size]);

  useEffect(() => {
    const drawn = chart.current;
    if (!drawn || !onPick) return;
    drawn.on("click", ({ seriesIndex, dataIndex, event }) => {
      const at = event?.event;
      if (seriesIndex === undefined || !(at instanceof MouseEvent)) return;
      onPick({ series: seriesIndex, index: dataIndex }, { x: at.clientX, y: at.clientY, height: 0 });
    });
    return () => void drawn.off("click");
  }, [onPick, size]);

  useEffect(
    () => () => {
      chart.current?.dispose();
      chart.current = null;
    },
    [],
  );

  return <div ref={box} role="img" aria-label={label} className="ac-chart" />;
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
