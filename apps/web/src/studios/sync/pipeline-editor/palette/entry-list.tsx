/** Entries of the palette as a list of buttons: arrows move, Enter or a press places one. */
import { IconDatabaseExport, IconDatabaseImport, IconNote, IconPuzzle } from "@tabler/icons-react";
import type { KeyboardEvent } from "react";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";
import { useWords } from "../../../../app/words.ts";
import { ActionIcon } from "../../custom-actions/parts/action-icon.tsx";
import { PALETTE_MIME } from "../canvas/new-node.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import { NodeIcon } from "../cards/node-icon.tsx";

interface Props {
  entries: readonly PaletteEntry[];
  disabled?: boolean;
  onPick: (entry: PaletteEntry) => void;
}

export function EntryList({ entries, disabled = false, onPick }: Props) {
  return (
    <ul className="ac-entries">
      {entries.map((entry, index) => (
        <li key={entry.key}>
          <EntryButton entry={entry} isStop={index === 0} disabled={disabled} onPick={() => onPick(entry)} />
        </li>
      ))}
    </ul>
  );
}

export function EntryButton({
  entry,
  isStop,
  disabled,
  onPick,
}: {
  entry: PaletteEntry;
  /** Whether Tab stops there: at the first of each list, from which arrows go on. */
  isStop: boolean;
  disabled: boolean;
  onPick: () => void;
}) {
  const { t } = useWords("sync");
  const { item, connector, label } = entry;
  const shownHelp = entry.actionIcon === undefined ? "" : entry.help;
  const name = connector
    ? t(item.kind === "source" ? "palette.addSource" : "palette.addSink", { entity: label, connector: connector.name })
    : item.kind === "note"
      ? t("note.add")
      : t(item.kind === "fragment" ? "fragments.insert" : "palette.addFunction", { name: label });
  return (
    <button
      type="button"
      className={`ac-palette__function ac-palette__function--${item.kind}`}
      data-entry
      tabIndex={isStop ? 0 : -1}
      // A help that is shown is part of the name.
      aria-label={shownHelp ? undefined : name}
      title={entry.help || name}
      disabled={disabled}
      draggable={!disabled}
      onDragStart={(event) => event.dataTransfer.setData(PALETTE_MIME, JSON.stringify(item))}
      onClick={onPick}
    >
      <EntryIcon entry={entry} />
      <span className="ac-palette__entry-name">{label}</span>
      {shownHelp ? <span className="ac-palette__entry-help">{shownHelp}</span> : null}
      {connector ? (
        <span className="ac-palette__entry-detail">
          {connector.name}
          {item.kind === "source" ? (
            <IconDatabaseExport size={14} aria-hidden />
          ) : (
            <IconDatabaseImport size={14} aria-hidden />
          )}
        </span>
      ) : null}
    </button>
  );
}

function EntryIcon({ entry: { connector, item, family, actionIcon } }: { entry: PaletteEntry }) {
  if (actionIcon !== undefined) return <ActionIcon name={actionIcon} size={16} />;
  if (item.kind === "fragment") return <IconPuzzle size={16} stroke={1.7} />;
  if (item.kind === "note") return <IconNote size={16} stroke={1.7} />;
  if (connector) return <ConnectorIcon icon={connector.metadata.icon} color={connector.backgroundColor} size={20} />;
  const kind = item.kind === "action" ? "action" : "function";
  const apiName = "apiName" in item ? item.apiName : "";
  return <NodeIcon kind={kind} apiName={apiName} family={family} size={16} stroke={1.7} />;
}

/** Arrow keys walk between the search box and the entries, Enter in the box places the first one. */
export function walkEntries(event: KeyboardEvent<HTMLElement>, onFirst: () => void): void {
  if (event.nativeEvent.isComposing) return;
  const isBox = event.target instanceof HTMLInputElement;
  if (event.key === "Enter" && isBox) {
    event.preventDefault();
    return onFirst();
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, [data-entry]")];
  const index = stops.findIndex((stop) => stop === document.activeElement);
  const next = stops[index + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
