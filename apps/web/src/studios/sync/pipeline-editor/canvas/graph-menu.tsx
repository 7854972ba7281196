/** The context menu of the graph: what can be done with what was pressed, with its keys. */
import { ShortcutHint } from "@accord/ui";
import { Menu } from "@mantine/core";
import {
  changeNote,
  isBypassed,
  isCore,
  mayBypass,
  nodeById,
  noteById,
  outPorts,
  portOf,
  setEdgeType,
} from "@accord/sync-engine/graph";
import { NOTE_COLORS } from "@accord/contracts/sync/graph";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { useEditor, useEditorStore, useLocked } from "../editor-context.tsx";
import { useRunTo } from "../try/try-context.tsx";
import { usePortNames } from "./port-names.ts";
import { removeEdgeOf } from "../removal/remove-items.ts";
import { type EditorCommands, useCopyRefusal } from "../commands/use-editor-commands.ts";

export interface GraphMenuPlace {
  x: number;
  y: number;
  about: "nodes" | "edge" | "pane";
}

interface Props {
  place: GraphMenuPlace | null;
  commands: EditorCommands;
  onSaveFragment: () => void;
  onShowEverything: () => void;
  onClose: () => void;
}

interface Entry {
  label: string;
  keys?: string;
  run: () => void;
  danger?: boolean;
  /** Why it can't be done; null where it can. */
  refusal?: string | null;
}

/** What it offers is found once it is open: the selection changes with each press. */
export function GraphMenu({ place, ...props }: Props) {
  return place ? <OpenMenu place={place} {...props} /> : null;
}

function OpenMenu({ place, onClose, ...actions }: Props & { place: GraphMenuPlace }) {
  const { t } = useWords("sync");
  const entries = useEntries(place, actions);
  return (
    <Menu opened onChange={(open) => !open && onClose()} position="bottom-start" width={250} trapFocus>
      <Menu.Target>
        <button
          type="button"
          className="ac-graph-menu"
          tabIndex={-1}
          aria-label={t("graphMenu.title")}
          style={{ left: place.x, top: place.y }}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry) => (
          <Menu.Item
            key={entry.label}
            onClick={entry.run}
            {...(entry.danger ? { color: "error" } : {})}
            {...(entry.refusal ? { disabled: true, title: entry.refusal } : {})}
            rightSection={entry.keys ? <ShortcutHint keys={entry.keys} /> : undefined}
          >
            {entry.label}
            {entry.refusal ? <span className="ac-table__reason">{entry.refusal}</span> : null}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function useEntries(
  place: GraphMenuPlace,
  { commands, onSaveFragment, onShowEverything }: Omit<Props, "place" | "onClose">,
): Entry[] {
  const { t } = useWords("sync");
  const readOnly = useLocked();
  const edgeEntries = useEdgeEntries();
  const nodeEntries = useNodeEntries(commands, onSaveFragment);
  const noteEntries = useNoteEntries(commands);
  if (place.about === "nodes") return noteEntries ?? nodeEntries;
  if (place.about === "edge") return edgeEntries;
  const looking: Entry[] = [
    { label: t("keys.selectAll"), keys: "mod+a", run: commands.selectAll },
    { label: t("editor.fit"), keys: "1", run: onShowEverything },
  ];
  return readOnly
    ? looking
    : [
        { label: t("palette.quickAdd"), keys: "a", run: commands.addNext },
        { label: t("keys.paste"), keys: "mod+v", run: commands.paste },
        { label: t("note.add"), keys: "n", run: () => commands.addNote({ x: place.x, y: place.y }) },
        ...looking,
        { label: t("editor.tidy"), keys: "t", run: () => void commands.tidy() },
      ];
}

function useNodeEntries(commands: EditorCommands, onSaveFragment: () => void): Entry[] {
  const { t } = useWords("sync");
  const readOnly = useLocked();
  const mayWrite = useCan("WRITE_STUDIO");
  const runTo = useRunTo();
  const selected = useEditor((state) => state.selected);
  const node = useEditor((state) => (selected.length === 1 ? nodeById(state.graph, selected[0] ?? "") : undefined));
  const refusal = useCopyRefusal();
  const copy: Entry = { label: t("keys.copy"), keys: "mod+c", run: commands.copy, refusal };
  const configure: Entry[] = node ? [{ label: t("list.configure"), keys: "Enter", run: commands.configure }] : [];
  const running: Entry[] = node && runTo ? [{ label: t("try.runTo"), keys: "shift+r", run: () => runTo(node.id) }] : [];
  const ofGroups = useGroupEntries(commands);
  const bypassing = useBypassEntry(commands);
  const saving: Entry[] = mayWrite ? [{ label: t("fragments.save"), run: onSaveFragment }] : [];
  if (readOnly) return [...configure, ...running, copy, ...saving];
  const one: Entry[] = node
    ? [
        ...configure,
        { label: t("palette.quickAdd"), keys: "a", run: commands.addNext },
        { label: t("keys.rename"), keys: "F2", run: commands.rename },
        ...running,
      ]
    : [
        { label: t("selection.group"), keys: "mod+g", run: commands.group },
        { label: t("note.addAround"), keys: "n", run: () => commands.addNote() },
      ];
  return [
    ...one,
    ...ofGroups,
    ...bypassing,
    copy,
    { label: t("keys.cut"), keys: "mod+x", run: commands.cut, refusal },
    { label: t("keys.duplicate"), keys: "mod+d", run: commands.duplicate, refusal },
    ...saving,
    ...(node && isCore(node)
      ? []
      : [{ label: t("selection.remove"), keys: "Delete", run: commands.remove, danger: true }]),
  ];
}

/** Of one note alone; null where something else is selected. */
function useNoteEntries(commands: EditorCommands): Entry[] | null {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const locked = useLocked();
  const selected = useEditor((state) => state.selected);
  const note = useEditor((state) => noteById(state.graph, selected[0] ?? ""));
  if (!note || selected.length !== 1) return null;
  const copy: Entry = { label: t("keys.copy"), keys: "mod+c", run: commands.copy };
  if (locked) return [copy];
  const colors = NOTE_COLORS.filter((color) => color !== note.color).map((color) => ({
    label: t("note.color", { color: t(`note.color_${color}`) }),
    run: () => store.getState().edit((graph) => changeNote(graph, note.id, { color })),
  }));
  return [
    { label: t("note.edit"), keys: "F2", run: commands.rename },
    ...colors,
    copy,
    { label: t("keys.cut"), keys: "mod+x", run: commands.cut },
    { label: t("keys.duplicate"), keys: "mod+d", run: commands.duplicate },
    { label: t("note.remove"), keys: "Delete", run: commands.remove, danger: true },
  ];
}

/** Where the selection has nodes that may be disabled: all of them at once, or all of them again. */
function useBypassEntry(commands: EditorCommands): Entry[] {
  const { t } = useWords("sync");
  const graph = useEditor((state) => state.graph);
  const selected = useEditor((state) => state.selected);
  const nodes = graph.nodes.filter((node) => selected.includes(node.id) && mayBypass(node));
  if (nodes.length === 0) return [];
  const label = t(nodes.every(isBypassed) ? "flow.bypass.enable" : "flow.bypass.disable");
  return [{ label, keys: "d", run: commands.bypass }];
}

/** Into each group that holds not all of the selection, and out of the one it is in. */
function useGroupEntries(commands: EditorCommands): Entry[] {
  const { t } = useWords("sync");
  const graph = useEditor((state) => state.graph);
  const selected = useEditor((state) => state.selected);
  const nodes = graph.nodes.filter((node) => selected.includes(node.id) && !isCore(node));
  const own = new Set(nodes.map(({ groupId }) => groupId ?? null));
  const left = graph.groups.filter(({ id }) => own.has(id)).map(({ name }) => name);
  const joinable = nodes.length > 0 ? graph.groups.filter(({ id }) => !own.has(id) || own.size > 1) : [];
  return [
    ...joinable.map(({ id, name }) => ({
      label: t("group.moveInto", { group: name }),
      run: () => commands.moveToGroup(id),
    })),
    ...(left.length > 0
      ? [{ label: t("group.moveOut", { group: left.join(", ") }), run: () => commands.moveToGroup(null) }]
      : []),
  ];
}

/** An edge can leave by another branch, take a node in, or go. */
function useEdgeEntries(): Entry[] {
  const { t } = useWords("sync");
  const store = useEditorStore();
  const locked = useLocked();
  const nameOf = usePortNames();
  const edge = useEditor((state) => state.graph.edges.find((each) => each.id === state.selectedEdge));
  const from = useEditor((state) => (edge ? nodeById(state.graph, edge.source.nodeId) : undefined));
  if (!edge || !from || locked) return [];
  const others = outPorts(from).filter((port) => port !== portOf(from, edge));
  return [
    ...others.map((port) => ({
      label: t("graphMenu.leaveBy", { branch: nameOf(from, port) }),
      run: () => store.getState().edit((graph) => setEdgeType(graph, edge.id, port)),
    })),
    {
      label: t("graphMenu.removeEdge"),
      keys: "Delete",
      run: () => removeEdgeOf(store, edge.id),
      danger: true,
    },
  ];
}
