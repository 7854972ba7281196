/** The mapper by mouse and by keyboard alone: lines of one undo step each, proposals at once, keys named, hundreds of fields. */
import { FieldSchema } from "@accord/contracts/data/schema";
import { Graph, type FieldMapping } from "@accord/contracts/sync/graph";
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import "../../../../app/words.ts";
import { EditorProvider, useEditor } from "../editor-context.tsx";
import { createEditorStore, type EditorStore } from "../editor.model.ts";
import { openedDraft } from "../draft/opened-draft.fixtures.ts";
import { mappedNodes } from "./mapper.model.ts";
import { MapperView } from "./mapper-view.tsx";

const field = (apiName: string, displayName: string, more: object = {}) =>
  FieldSchema.parse({ apiName, displayName, ...more });

const CONNECTOR = [
  field("full_name", "Full name"),
  field("mail", "E-mail"),
  field("vip", "VIP", { dataType: "boolean" }),
  field("number", "Number", { unique: true }),
  field("id", "ID", { isIdField: true, updateable: false, initializable: false }),
];
const CORE = [
  field("name", "Name"),
  field("email", "E-mail"),
  field("since", "Since", { dataType: "date" }),
  field("code", "Code", { unique: true }),
];
const place = (id: string, nodeType: string, rows: FieldMapping[]) => ({
  id,
  nodeType,
  label: id,
  configuration: { connectorId: "shop", entityDefinition: "buyers", fieldMappings: rows },
});

interface Opened {
  rows?: FieldMapping[];
  written?: FieldMapping[];
  hasSink?: boolean;
  connector?: readonly FieldSchema[];
  core?: readonly FieldSchema[];
  onCreateField?: (created: FieldSchema) => void;
}

function open({
  rows = [],
  written = [],
  hasSink = true,
  connector = CONNECTOR,
  core = CORE,
  onCreateField,
}: Opened = {}): EditorStore {
  const nodes = [place("source", "ENTITY_SOURCE", rows), ...(hasSink ? [place("sink", "ENTITY_SINK", written)] : [])];
  const store = createEditorStore(openedDraft(Graph.parse({ nodes, edges: [] })));
  function Mapper() {
    const graph = useEditor((state) => state.graph);
    return (
      <div style={{ height: 620, display: "flex" }}>
        <MapperView
          nodes={mappedNodes(graph, "source")}
          connectorName="Shop"
          entityName="Account"
          connectorFields={connector}
          coreFields={core}
          samples={{ system: new Map([["mail", "ann@x.example"]]), core: new Map() }}
          onCreateField={onCreateField}
        />
      </div>
    );
  }
  show(
    <EditorProvider value={store}>
      <Mapper />
    </EditorProvider>,
  );
  return store;
}
const rowsOf = (store: EditorStore, id: string): unknown =>
  store.getState().graph.nodes.find((node) => node.id === id)?.configuration["fieldMappings"];
const column = (name: string) => page.getByRole("listbox", { name });
const system = (name: RegExp) => column("Shop fields").getByRole("option", { name });
const core = (name: RegExp) => column("Account fields").getByRole("option", { name });

test("by keyboard alone a line is drawn with Enter, arrows and Enter, narrowed, undone and taken away", async () => {
  const store = open();
  await expect.element(system(/^ID/)).toBeVisible();
  // The key comes first, and Tab leads to it past the tools.
  for (let presses = 0; presses < 12 && document.activeElement?.getAttribute("data-field") !== "id"; presses++)
    await userEvent.keyboard("{Tab}");
  await expect.element(system(/^ID/)).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  await expect.element(system(/^Full name/)).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText(/Drawing from Full name/)).toBeVisible();
  await expect.element(core(/^Code/)).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.poll(() => rowsOf(store, "source")).toEqual([{ connectorField: "full_name", coreField: "name" }]);
  expect(rowsOf(store, "sink")).toEqual([{ connectorField: "full_name", coreField: "name" }]);
  await expect.element(page.getByText("Full name and Name are joined: Both ways.")).toBeVisible();
  await expect.element(system(/^Full name.*Name$/)).toHaveFocus();

  // Search and fields of the other side, then what can be done with this one.
  await userEvent.keyboard("{Tab}{Tab}{Tab}{ArrowRight}");
  await expect.poll(() => rowsOf(store, "sink")).toEqual([]);
  expect(store.getState().past).toHaveLength(2);
  await userEvent.keyboard("{Shift>}{Tab}{Tab}{Tab}{/Shift}");
  await expect.element(system(/^Full name/)).toHaveFocus();
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.poll(() => rowsOf(store, "sink")).toHaveLength(1);
  await userEvent.keyboard("{Delete}");
  await expect.poll(() => [rowsOf(store, "source"), rowsOf(store, "sink")]).toEqual([[], []]);
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.poll(() => rowsOf(store, "source")).toHaveLength(1);
  await userEvent.keyboard("{Control>}y{/Control}");
  await expect.poll(() => rowsOf(store, "source")).toHaveLength(0);
});

test("Escape cancels a line that was begun, and fields that can't be joined say why", async () => {
  const store = open();
  await system(/^VIP/).click();
  await userEvent.keyboard("{Enter}{Escape}");
  await expect.element(page.getByText("Nothing was drawn.")).toBeVisible();
  await expect.element(system(/^VIP/)).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await core(/^Since/).click();
  await expect.element(page.getByText(/Values of VIP can't become values of Since/)).toBeVisible();
  expect(store.getState().past).toHaveLength(0);
});

test("by mouse a line is drawn from either side, and a core field takes its values from one field", async () => {
  const store = open({ hasSink: false });
  await system(/^Full name/).dropTo(core(/^Name/));
  await expect.poll(() => rowsOf(store, "source")).toEqual([{ connectorField: "full_name", coreField: "name" }]);
  await core(/^Name/).dropTo(system(/^Number/));
  await expect.poll(() => rowsOf(store, "source")).toEqual([{ connectorField: "number", coreField: "name" }]);
  await expect.element(page.getByText(/Full name no longer sets Name/)).toBeVisible();
  // A press that doesn't move only shows what there is.
  await system(/^E-mail/).click();
  await core(/^Code/).click();
  expect(store.getState().past).toHaveLength(2);
});

test("a second line of a field leaves the way back to the first, until somebody takes it over, which is said", async () => {
  const joined = [{ connectorField: "full_name", coreField: "name" }];
  const store = open({ rows: joined, written: joined });
  await system(/^Full name/).dropTo(core(/^Code/));
  await expect.element(page.getByText("Full name and Code are joined: Into the core.")).toBeVisible();
  expect(rowsOf(store, "source")).toEqual([...joined, { connectorField: "full_name", coreField: "code" }]);
  expect(rowsOf(store, "sink")).toEqual(joined);

  await system(/^Full name/).click();
  const direction = page.getByRole("radiogroup", { name: "Direction between Full name and Code" });
  await direction.getByText("Both ways").click();
  await expect.element(page.getByText(/are joined: Both ways\. Name no longer sets Full name\./)).toBeVisible();
  expect(rowsOf(store, "sink")).toEqual([{ connectorField: "full_name", coreField: "code" }]);
});

test("a line that is let go outside the board is cancelled, and the next click joins nothing", async () => {
  const store = open();
  await system(/^Full name/).dropTo(page.getByRole("combobox", { name: "Confidence of proposals" }));
  await expect.element(page.getByText("Nothing was drawn.")).toBeVisible();
  await core(/^Name/).click();
  await expect.element(core(/^Name/)).toHaveFocus();
  expect(store.getState().past).toHaveLength(0);
});

test("proposals are accepted at once, as far as they are sure, in one undo step", async () => {
  const store = open();
  await expect.element(page.getByRole("button", { name: "Accept 1 proposal" })).toBeVisible();
  await system(/^E-mail/).click();
  await expect.element(page.getByText(/Proposed: E-mail\. Medium confidence: same name\./)).toBeVisible();
  await page.getByRole("combobox", { name: "Confidence of proposals" }).click();
  await page.getByRole("option", { name: "High confidence only" }).click();
  await expect.element(page.getByRole("button", { name: "No proposals" })).toBeDisabled();
  await page.getByRole("combobox", { name: "Confidence of proposals" }).click();
  await page.getByRole("option", { name: "Any confidence" }).click();
  await page.getByRole("button", { name: "Accept 1 proposal" }).click();
  await expect.poll(() => rowsOf(store, "sink")).toEqual([{ connectorField: "mail", coreField: "email" }]);
  expect(store.getState().past).toHaveLength(1);
});

test("keys without a line are named, and a field without a counterpart can get one", async () => {
  const asked: string[] = [];
  open({ onCreateField: ({ apiName }) => asked.push(apiName) });
  await expect.element(page.getByText("The key fields ID, Number have no line.")).toBeVisible();
  await system(/^VIP/).click();
  await page.getByRole("button", { name: "Create a field for VIP" }).click();
  expect(asked).toEqual(["vip"]);
});

test("each column is searched by itself, and lines that this hides are counted", async () => {
  open({ rows: [{ connectorField: "mail", coreField: "email" }] });
  await page.getByPlaceholder("Search Shop fields").fill("vip bool");
  await expect.element(system(/^E-mail/)).not.toBeInTheDocument();
  await expect.element(system(/^VIP/)).toBeVisible();
  await expect.element(core(/^E-mail/)).toBeVisible();
  await expect.element(page.getByText("1 line is not shown, because of the search.")).toBeVisible();
});

test("three hundred fields on each side are gone through, joined and drawn", async () => {
  const many = (side: string) => Array.from({ length: 300 }, (_, at) => field(`${side}${at}`, `${side} ${at}`));
  const store = open({ connector: many("Left"), core: many("Right"), hasSink: false });
  await system(/^Left 0 /).click();
  await userEvent.keyboard("{End}{Enter}{End}{Enter}");
  await expect.poll(() => rowsOf(store, "source")).toEqual([{ connectorField: "Left299", coreField: "Right299" }]);
  await expect.poll(() => document.querySelectorAll(".ac-mapper__line").length).toBe(1);
});
