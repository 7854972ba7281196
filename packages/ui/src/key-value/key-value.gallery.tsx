/** Facts, times, ids, names that can be edited, progress and keys. */
import { CopyableId } from "../copyable-id/copyable-id.tsx";
import { InlineEdit } from "../inline-edit/inline-edit.tsx";
import { ProgressBar } from "../progress/progress-bar.tsx";
import { RelativeTime } from "../relative-time/relative-time-view.tsx";
import { ShortcutHint } from "../shortcut-sheet/shortcut-sheet.tsx";
import { KeyValueList } from "./key-value.tsx";

const A_WHILE_AGO = Date.now() - 3 * 3_600_000;

export const Facts = () => (
  <KeyValueList
    facts={[
      { key: "Name", value: <InlineEdit label="Name" value="Harbor CRM" onSave={() => {}} /> },
      { key: "Id", value: <CopyableId id="65a1f00000000000000000aa" /> },
      { key: "Last read", value: <RelativeTime at={A_WHILE_AGO} />, hint: "in your time zone" },
      { key: "Owner", value: null },
      { key: "Save", value: <ShortcutHint keys="mod+s" /> },
    ]}
  />
);

export const Progress = () => (
  <div style={{ display: "grid", gap: 16 }}>
    <ProgressBar label="Reading customers" percent={62} note="12,400 of 20,000" />
    <ProgressBar label="Discovering tables" tone="ember" />
    <ProgressBar label="Exported" percent={140} tone="ok" />
  </div>
);
