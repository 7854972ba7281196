/** Keys as people see them, and the sheet that lists them. */
import { Kbd, Modal } from "@mantine/core";
import "./shortcut-sheet.css";

const isApple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);
const KEY_NAMES: Record<string, string> = {
  mod: isApple ? "⌘" : "Ctrl",
  shift: isApple ? "⇧" : "Shift",
  alt: isApple ? "⌥" : "Alt",
  escape: "Esc",
  arrows: "← ↑ ↓ →",
};

/** `keys` joined by plus: "mod+k". */
export function ShortcutHint({ keys }: { keys: string }) {
  return (
    <span className="ac-keys">
      {keys.split("+").map((key) => (
        <Kbd key={key}>{KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key)}</Kbd>
      ))}
    </span>
  );
}

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly { keys: string; does: string }[];
}

export function ShortcutSheet({
  opened,
  onClose,
  title,
  groups,
}: {
  opened: boolean;
  onClose: () => void;
  title: string;
  groups: readonly ShortcutGroup[];
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={520}>
      <div className="ac-shortcuts">
        {groups.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.shortcuts.map((shortcut) => (
                <div key={shortcut.keys}>
                  <dt>{shortcut.does}</dt>
                  <dd>
                    <ShortcutHint keys={shortcut.keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
