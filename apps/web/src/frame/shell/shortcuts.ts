/** Keys that work everywhere, for the `?` sheet. A screen with keys of its own registers them while it is shown. */
import type { ShortcutGroup } from "@accord/ui";
import { useEffect } from "react";
import type { useWords } from "../../app/words.ts";

let screenGroups: readonly ShortcutGroup[] = [];

/** Lists a screen's own keys in the sheet: `useShortcutGroup({ title: t("…"), shortcuts: [{ keys: "mod+s", does: … }] })`. */
export function useShortcutGroup(group: ShortcutGroup): void {
  const signature = JSON.stringify(group);
  useEffect(() => {
    const mine = JSON.parse(signature) as ShortcutGroup;
    screenGroups = [...screenGroups, mine];
    return () => {
      screenGroups = screenGroups.filter((each) => each !== mine);
    };
  }, [signature]);
}

export function shortcutGroups(t: ReturnType<typeof useWords>["t"]): readonly ShortcutGroup[] {
  return [
    {
      title: t("shell:shortcuts.general"),
      shortcuts: [
        { keys: "mod+k", does: t("shell:shortcuts.palette") },
        { keys: "/", does: t("shell:shortcuts.search") },
        { keys: "mod+b", does: t("shell:shortcuts.sidebar") },
        { keys: "escape", does: t("shell:shortcuts.close") },
        { keys: "?", does: t("shell:shortcuts.help") },
      ],
    },
    ...screenGroups,
  ];
}
