/** Which text a card shows at which zoom, and that it is never smaller than 12 px on screen. */
import { NODE_SIZE } from "@accord/sync-engine/graph";
import { expect, test } from "vitest";
import { detailAt, zoomStep } from "./zoom-detail.ts";

const TEXT = 12;

test("the step of a zoom is never above it, so that text made larger by it keeps its size on screen", () => {
  for (let zoom = 0.05; zoom < 1.75; zoom += 0.013) {
    expect(zoomStep(zoom)).toBeLessThanOrEqual(zoom + 1e-9);
    expect((TEXT / zoomStep(zoom)) * zoom).toBeGreaterThanOrEqual(TEXT - 1e-9);
  }
});

test("the lines that a card shows have room on it", () => {
  const lines = { all: 2 * 1.2, label: 2 * 1.03, line: 1.03, none: 0 };
  for (let step = 1; step <= 35; step++) {
    const zoom = zoomStep(step / 20);
    expect((TEXT / Math.min(1, zoom)) * lines[detailAt(zoom)]).toBeLessThanOrEqual(NODE_SIZE.height - 2);
  }
});
