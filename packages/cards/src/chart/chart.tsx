/** One chart in a box: follows the box's size and the option given, and says in words what it shows. */
import { useEffect, useRef, useState } from "react";
import { type Chart as Drawn, type ChartOption, startChart } from "./echarts.ts";

export interface Size {
  width: number;
  height: number;
}

/** `option` gets the box's size, so that labels can be thinned out before they would be cut. */
export function Chart({ option, label }: { option: (size: Size) => ChartOption; label: string }) {
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
