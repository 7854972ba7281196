/** The outline of the mark that keys have reached, and its tooltip: drawn over the chart, on the shape of the mark. */
import { graphic } from "echarts/core";
import type { Chart } from "./echarts.ts";

export interface MarkPlace {
  series: number;
  index: number;
  /** Where its category is on the axis; used where nothing is drawn. */
  at: number;
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

type Shape = Parameters<ReturnType<Chart["getZr"]>["add"]>[0];

/** The parts of the library's own model that its types leave out. */
interface DrawnSeries {
  getData(): { indexOfRawIndex(index: number): number; getItemGraphicEl(index: number): Shape | null | undefined };
  coordinateSystem?: { getArea?(): Box };
}
interface DrawnModel {
  getSeriesByIndex(index: number): DrawnSeries | undefined;
  isSeriesFiltered(series: DrawnSeries): boolean;
}

const hasModel = (chart: object): chart is { getModel(): DrawnModel } => "getModel" in chart;

function seriesOf(chart: object, index: number): DrawnSeries | null {
  if (!hasModel(chart)) return null;
  const model = chart.getModel();
  const series = model.getSeriesByIndex(index);
  return series && !model.isSeriesFiltered(series) ? series : null;
}

/** Whether the legend leaves the mark in. */
export function isShown(chart: Chart, series: number, index: number): boolean {
  const found = seriesOf(chart, series);
  return found !== null && found.getData().indexOfRawIndex(index) >= 0;
}

/** What is drawn for a mark, and the box around it; no shape where it has no value. */
function find(chart: Chart, { series, index, at }: MarkPlace): { shape: Shape | null; box: Box } {
  const found = seriesOf(chart, series);
  const data = found?.getData();
  const shape = data?.getItemGraphicEl(data.indexOfRawIndex(index)) ?? null;
  // A point that is too small to be drawn has no size, and none at all while it is emphasized: only a place.
  if (shape?.isGroup) return { shape, box: around(shape.x, shape.y) };
  if (shape) {
    const box = shape.getBoundingRect().clone();
    const transform = shape.getComputedTransform();
    if (transform) box.applyTransform(transform);
    return { shape, box };
  }
  const grid = found?.coordinateSystem?.getArea?.();
  if (!grid) return { shape: null, box: { x: 4, y: 4, width: chart.getWidth() - 8, height: chart.getHeight() - 8 } };
  // No value has no length: the ring stands where the axis of values begins.
  const isLying = !isValueAxis(chart.getOption()["yAxis"]);
  const along = Number(chart.convertToPixel(isLying ? { yAxisIndex: 0 } : { xAxisIndex: 0 }, at));
  const [x, y] = isLying ? [grid.x + 8, along] : [along, grid.y + grid.height - 8];
  return { shape: null, box: around(x, y) };
}

const around = (x: number, y: number): Box => ({ x: x - 6, y: y - 6, width: 12, height: 12 });

const isValueAxis = (axes: unknown): boolean => {
  const first: unknown = Array.isArray(axes) ? axes[0] : axes;
  return typeof first === "object" && first !== null && "type" in first && first.type === "value";
};

const LIGHT_WIDTH = 7;
const LINE_WIDTH = 2.5;

/** The outline in two colours, so that it stands out from the mark and from what is around it. */
function outline(shape: Shape | null, box: Box, element: Element): Shape {
  const token = (name: string): string => getComputedStyle(element).getPropertyValue(name).trim();
  const group = new graphic.Group({ silent: true });
  const rings = [
    { stroke: token("--ac-surface"), lineWidth: LIGHT_WIDTH },
    { stroke: token("--ac-text"), lineWidth: LINE_WIDTH },
  ];
  for (const ring of rings) {
    const look = { style: { ...ring, fill: "none", strokeNoScale: true }, silent: true, z: 1_000, zlevel: 0 };
    group.add(ringOn(shape, box, look));
  }
  return group;
}

const PLAIN: Record<string, typeof graphic.Sector | typeof graphic.Polygon> = {
  sector: graphic.Sector,
  polygon: graphic.Polygon,
};

function ringOn(shape: Shape | null, box: Box, look: object): Shape {
  const own = shape && !shape.isGroup && "shape" in shape ? shape : null;
  if (own) {
    // The same kind of shape, in the same place. Slices and stages have classes of their own, which take no options.
    const same: Shape = Reflect.construct(PLAIN[own.type] ?? own.constructor, [{ ...look, shape: own.shape }]);
    same.copyTransform(own);
    return same;
  }
  const isWhole = box.width > 60;
  if (isWhole) return new graphic.Rect({ ...look, shape: { ...box, r: 6 } });
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  return new graphic.Circle({ ...look, shape: { cx, cy, r: 7 } });
}

export class MarkRing {
  private drawn: { ring: Shape; key: string } | null = null;
  private readonly chart: Chart;
  private readonly element: Element;

  constructor(chart: Chart, element: Element) {
    this.chart = chart;
    this.element = element;
  }

  /** Follows the mark, with its tooltip: drawings are animated, and made anew when data, size or colours change. */
  put(place: MarkPlace): void {
    const { shape, box } = find(this.chart, place);
    const own = shape && "shape" in shape ? shape.shape : null;
    const key = JSON.stringify([place, box, own, document.documentElement.dataset["mantineColorScheme"]]);
    if (this.drawn?.key === key) return;
    this.remove();
    const ring = outline(shape, box, this.element);
    this.chart.getZr().add(ring);
    this.drawn = { ring, key };
    this.showTip(place, shape, box);
  }

  /** The tooltip that the mouse would show at the mark. */
  private showTip(place: MarkPlace, shape: Shape | null, box: Box): void {
    this.chart.dispatchAction(
      shape
        ? { type: "showTip", seriesIndex: place.series, dataIndex: place.index }
        : { type: "showTip", x: box.x + box.width / 2, y: box.y + box.height / 2 },
    );
  }

  /** Where the mark is on the screen, as that of a click. */
  placeOf(place: MarkPlace): { x: number; y: number; height: number } {
    const { box } = find(this.chart, place);
    const { left, top } = this.element.getBoundingClientRect();
    return { x: left + box.x + box.width / 2, y: top + box.y, height: box.height };
  }

  hide(): void {
    this.remove();
    this.chart.dispatchAction({ type: "hideTip" });
    this.chart.dispatchAction({ type: "updateAxisPointer", currTrigger: "leave" });
  }

  private remove(): void {
    if (this.drawn) this.chart.getZr().remove(this.drawn.ring);
    this.drawn = null;
  }
}
