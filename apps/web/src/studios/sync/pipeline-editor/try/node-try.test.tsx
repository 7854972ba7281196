/** Tags of the tried record on cards: words where the card is wide enough, a sign of full size below that. */
import { show } from "@accord/ui/test-kit";
import { Graph } from "@accord/contracts/sync/graph";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../../app/words.ts";
import { ENTITY, openedDraft } from "../draft/opened-draft.fixtures.ts";
import { EditorProvider } from "../editor-context.tsx";
import { createEditorStore } from "../editor.model.ts";
import { detailAt, zoomStep } from "../canvas/view/zoom-detail.ts";
import "../canvas/canvas.css";
import { TryTag } from "./node-try.tsx";
import { TryProvider, useTryStore } from "./try-context.tsx";
import { triedRecord } from "./tried-record.fixtures.ts";

const CARD = 196;
const store = createEditorStore(openedDraft(Graph.parse({ nodes: [], edges: [] })));
const record = { nodeId: "crm", record: { kind: "external" as const, externalId: "1" }, name: "Acme" };

function Tried() {
  const tried = useTryStore();
  if (!tried.getState().chosen) tried.getState().choose(record);
  if (!tried.getState().result) tried.getState().done(triedRecord({ notRun: ["late"] }));
  return null;
}

/** A card as the canvas shows it at this zoom. */
function Card({ zoom }: { zoom: number }) {
  const step = zoomStep(zoom);
  return (
    <EditorProvider value={store}>
      <TryProvider entityId={ENTITY} userId="ada" isOffered>
        <Tried />
        <div className="ac-canvas">
          <div
            className="react-flow"
            data-detail={detailAt(zoom)}
            ref={(element) => element?.style.setProperty("--ac-zoom", String(step))}
            style={{ transform: `scale(${zoom})`, transformOrigin: "0 0" }}
          >
            <div className="ac-node" data-testid="card" style={{ position: "relative", height: 52 }}>
              <span className="ac-node__health">
                <TryTag nodeId="late" />
                <span>Health</span>
              </span>
            </div>
          </div>
        </div>
      </TryProvider>
    </EditorProvider>
  );
}

test.each([1, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1])(
  "at zoom %f the tag is whole and no smaller than text of 12 px",
  async (zoom) => {
    show(<Card zoom={zoom} />);
    const tag = page.getByTitle(/^Not run/);
    await expect.element(tag).toBeVisible();
    const element = tag.element();
    expect(element).toHaveTextContent("Not run");
    expect(element.scrollWidth, "nothing of it is cut").toBeLessThanOrEqual(element.clientWidth);
    const box = element.getBoundingClientRect();
    expect(box.height).toBeGreaterThanOrEqual(19);
    if (zoom >= 0.2) expect(box.width).toBeLessThanOrEqual(CARD * zoom + 1);
    const sign = element.querySelector("svg")?.getBoundingClientRect();
    expect((sign?.width ?? 0) >= 12, "a sign stands for the words where they have no room").toBe(zoom < 0.5);
  },
);
