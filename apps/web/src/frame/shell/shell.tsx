/** The frame around every signed-in screen: sidebar, top bar, and the screen itself. */
import { useHotkeys, useLocalStorage } from "@mantine/hooks";
import { ShortcutSheet } from "@accord/ui";
import { Outlet } from "@tanstack/react-router";
import { useState, type KeyboardEvent } from "react";
import { useWords } from "../../app/words.ts";
import { UnsavedGuard } from "../../shared/unsaved-changes/unsaved-guard.tsx";
import { PaletteView } from "./palette-view.tsx";
import { shortcutGroups } from "./shortcuts.ts";
import { Sidebar } from "./sidebar.tsx";
import { TopBar } from "./top-bar.tsx";
import "./shell.css";

export function Shell() {
  const { t } = useWords();
  const [folded, setFolded] = useLocalStorage({
    key: "accord-sidebar-folded",
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const [navOpen, setNavOpen] = useState(false);
  const [sheetOpen, setSheetOpen] = useState(false);
  useHotkeys([
    // Where "?" needs Shift it comes with it, elsewhere without.
    ["shift+?", () => setSheetOpen(true)],
    ["?", () => setSheetOpen(true)],
    ["mod+B", () => setFolded((old) => !old)],
  ]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !navOpen) return;
    event.stopPropagation();
    setNavOpen(false);
  };
  return (
    <div className="ac-shell" data-nav-open={navOpen || undefined}>
      <a className="ac-shell__skip" href="#content">
        {t("nav.skip")}
      </a>
      <div className="ac-shell__nav" onKeyDown={onKeyDown} role="presentation">
        <Sidebar
          folded={folded && !navOpen}
          onFold={() => setFolded((old) => !old)}
          onChosen={() => setNavOpen(false)}
        />
      </div>
      {navOpen ? (
        <button
          type="button"
          className="ac-shell__scrim"
          aria-label={t("nav.close")}
          onClick={() => setNavOpen(false)}
        />
      ) : null}
      <div className="ac-shell__page">
        <TopBar onOpenNav={() => setNavOpen(true)} onShortcuts={() => setSheetOpen(true)} />
        <main id="content" className="ac-shell__content" data-scroll-area="screen" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      <UnsavedGuard />
      <PaletteView />
      <ShortcutSheet
        opened={sheetOpen}
        onClose={() => setSheetOpen(false)}
        title={t("shortcuts.title")}
        groups={shortcutGroups(t)}
      />
    </div>
  );
}
