/** The Ctrl-K palette. */
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.layer.css";
import { IconArrowRight, IconSearch } from "@tabler/icons-react";
import { useQueries } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { NAV } from "../../app/nav.ts";
import { paletteSources, type PaletteEntry } from "../../app/palette.ts";
import { can, useSession } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import "./palette-view.css";

const MAX_PER_GROUP = 8;

const [store, palette] = createSpotlight();

export const openPalette = (): void => palette.open();

/** Marks the first entry after each change of the list, so that Enter takes the best match. */
function useFirstSelected(signature: string) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const marked of list.current?.querySelectorAll("[data-selected]") ?? [])
      marked.removeAttribute("data-selected");
    list.current?.querySelector("[data-action]")?.setAttribute("data-selected", "true");
    store.updateState((state) => ({ ...state, selected: 0 }));
  }, [signature]);
  return list;
}

export function PaletteView() {
  const { t } = useWords();
  const session = useSession();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const allowed = paletteSources().filter(
    ([, { permissions }]) => permissions.length === 0 || can(session, ...permissions),
  );
  const found = useQueries({
    queries: allowed.map(([id, source]) => ({
      queryKey: ["palette", id, text],
      queryFn: async () => source.find(text),
      retry: false,
    })),
  });

  const wanted = text.trim().toLowerCase();
  const screens: PaletteEntry[] = NAV.filter(
    (entry) => entry.permissions.length === 0 || can(session, ...entry.permissions),
  )
    .map((entry) => ({ id: entry.to, label: t(entry.label), icon: entry.icon, to: entry.to }))
    .filter((entry) => entry.label.toLowerCase().includes(wanted));
  const groups = [
    { label: t("palette.goTo"), entries: screens },
    ...allowed.map(([, source], index) => ({ label: source.group, entries: found[index]?.data ?? [] })),
  ].filter((group) => group.entries.length > 0);

  const list = useFirstSelected(groups.flatMap(({ entries }) => entries.map(({ id }) => id)).join());

  const choose = (entry: PaletteEntry) => {
    if (entry.to !== undefined) void navigate({ href: entry.to });
    entry.run?.();
  };

  return (
    <Spotlight.Root
      store={store}
      query={text}
      onQueryChange={setText}
      scrollable
      maxHeight={420}
      shortcut={["mod + K"]}
      clearQueryOnClose
      attributes={{ content: { "aria-label": t("bar.searchOrJump") } }}
    >
      <Spotlight.Search
        placeholder={t("palette.placeholder")}
        aria-label={t("palette.placeholder")}
        leftSection={<IconSearch size={18} />}
      />
      <Spotlight.ActionsList ref={list}>
        {groups.map((group) => (
          <Spotlight.ActionsGroup key={group.label} label={group.label}>
            {group.entries.slice(0, MAX_PER_GROUP).map((entry) => {
              const EntryIcon = entry.icon ?? IconArrowRight;
              return (
                <Spotlight.Action
                  key={entry.id}
                  label={entry.label}
                  {...(entry.description ? { description: entry.description } : {})}
                  leftSection={<EntryIcon size={17} />}
                  onClick={() => choose(entry)}
                />
              );
            })}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 ? <Spotlight.Empty>{t("palette.nothing", { text })}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}
