/** What can be placed: entities of connected systems on both sides, functions and actions by family. */
import { TextInput } from "@mantine/core";
import { IconDatabaseExport, IconDatabaseImport, IconPlus, IconSearch } from "@tabler/icons-react";
import type { Connector } from "@accord/contracts/connections/connectors";
import type { Id } from "@accord/contracts";
import { Link } from "@tanstack/react-router";
import { memo, useState, type KeyboardEvent } from "react";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";
import { PALETTE_MIME, type PaletteItem } from "../canvas/new-node.ts";
import { isWritable, searchEntries, systemItem, useNoteEntry, usePaletteEntries } from "./palette-items.ts";
import type { PaletteEntry } from "./palette-entry.ts";
import { useConnectorEntities, useConnectors, usePalette } from "../queries.ts";
import { FieldSections } from "./field-sections.tsx";
import { PaletteSkeleton, Section } from "./section.tsx";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { useInsertNode } from "../canvas/use-placing.ts";
import { FragmentSection } from "../fragments/fragment-section.tsx";
import { EntryButton, EntryList, walkEntries } from "./entry-list.tsx";
import "./palette.css";

/** A hundred entries and more: they are drawn anew for what can be placed alone, not with what stands around them. */
export const Palette = memo(function Palette({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  const [search, setSearch] = useState("");
  const text = search.trim();
  const searchLabel = t(useFieldScope() ? "fieldPipeline.search" : "palette.search");
  const entries = usePaletteEntries(entityId);
  const found = text ? searchEntries(entries, text) : [];
  const { place, readOnly } = useInsertNode();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const [first] = found;
    walkEntries(event, () => first && !readOnly && place(first.item));
  };
  return (
    <aside className="ac-palette" aria-label={t("palette.title")} onKeyDown={onKeyDown}>
      <TextInput
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={searchLabel}
        aria-label={searchLabel}
        leftSection={<IconSearch size={15} />}
      />
      <div className="ac-palette__scroll" tabIndex={0} role="group" aria-label={t("palette.title")}>
        {text ? (
          <EntryList entries={found} disabled={readOnly} onPick={(entry) => place(entry.item)} />
        ) : (
          <AllEntries entityId={entityId} entries={entries} />
        )}
        {text && entries.length > 0 && found.length === 0 ? (
          <p className="ac-palette__none">{t("palette.nothing", { text })}</p>
        ) : null}
      </div>
      <p className="ac-palette__hint">{t("palette.hint")}</p>
    </aside>
  );
});

/** Everything by family, systems first. */
function AllEntries({ entityId, entries }: { entityId: Id<"entity">; entries: readonly PaletteEntry[] }) {
  const { t } = useWords("sync");
  const { place, readOnly } = useInsertNode();
  const palette = usePalette(entityId);
  const isField = useFieldScope() !== null;
  return (
    <>
      {isField ? (
        <FieldSections entityId={entityId} entries={entries} onPick={place} readOnly={readOnly} />
      ) : (
        <Systems />
      )}
      {palette.isPending ? <PaletteSkeleton /> : null}
      <CustomActions entityId={entityId} entries={entries} />
      <NoteSection />
      <FragmentSection />
      {[...Map.groupBy(entries, (entry) => entry.family)].map(([family, items]) =>
        family ? (
          <Section key={family} title={t(family === "action" ? "palette.actions" : `palette.family_${family}`)}>
            {items.map((entry, index) => (
              <li key={entry.key}>
                <EntryButton entry={entry} isStop={index === 0} disabled={readOnly} onPick={() => place(entry.item)} />
              </li>
            ))}
          </Section>
        ) : null,
      )}
    </>
  );
}

function NoteSection() {
  const { t } = useWords("sync");
  const { place, readOnly } = useInsertNode();
  const entry = useNoteEntry();
  return (
    <Section title={t("note.title")}>
      <li>
        <EntryButton entry={entry} isStop disabled={readOnly} onPick={() => place(entry.item)} />
      </li>
    </Section>
  );
}

/** Actions that people of the instance made, and the way to another one. */
function CustomActions({ entityId, entries }: { entityId: Id<"entity">; entries: readonly PaletteEntry[] }) {
  const { t } = useWords("sync");
  const { place, readOnly } = useInsertNode();
  const mayWrite = useCan("WRITE_STUDIO");
  const actions = entries.filter(({ actionIcon }) => actionIcon !== undefined);
  if (actions.length === 0 && !mayWrite) return null;
  return (
    <Section title={t("palette.customActions")}>
      {actions.map((entry, index) => (
        <li key={entry.key}>
          <EntryButton entry={entry} isStop={index === 0} disabled={readOnly} onPick={() => place(entry.item)} />
        </li>
      ))}
      {mayWrite ? (
        <li>
          <Link className="ac-palette__new" to="/sync-studio/actions/new" search={{ pipeline: entityId }}>
            <IconPlus size={15} stroke={1.7} aria-hidden /> {t("palette.newAction")}
          </Link>
        </li>
      ) : null}
    </Section>
  );
}

function Systems() {
  const { t } = useWords("sync");
  const connectors = useConnectors();
  const active = (connectors.data?.connectors ?? []).filter((connector) => connector.status === "ACTIVE");
  return (
    <Section title={t("palette.systems")}>
      {connectors.isPending ? <PaletteSkeleton /> : null}
      {connectors.data && active.length === 0 ? (
        <li className="ac-palette__none">
          {t("palette.noConnectors")} <Link to="/synapses/connections">{t("palette.connect")}</Link>
        </li>
      ) : null}
      {active.length > 0 ? <Legend /> : null}
      {active.map((connector) => (
        <SystemEntries key={connector.id} connector={connector} />
      ))}
    </Section>
  );
}

/** What the two marks behind each entity mean. */
function Legend() {
  const { t } = useWords("sync");
  return (
    <li className="ac-palette__legend">
      <IconDatabaseExport size={14} stroke={1.7} aria-hidden /> {t("palette.source")}
      <IconDatabaseImport size={14} stroke={1.7} aria-hidden /> {t("palette.destination")}
    </li>
  );
}

function SystemEntries({ connector }: { connector: Connector }) {
  const { t } = useWords("sync");
  const [open, setOpen] = useState(false);
  const entities = useConnectorEntities(connector.id);
  const active = (entities.data?.entities ?? []).filter((entity) => entity.status === "ACTIVE");
  return (
    <li>
      <button type="button" className="ac-palette__system" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ConnectorIcon icon={connector.metadata.icon} color={connector.backgroundColor} size={20} />
        <span className="ac-palette__system-name">{connector.name}</span>
        <span className="ac-palette__count">{entities.data?.entities.length ?? connector.entityCount}</span>
      </button>
      {open ? (
        <ul>
          {active.map((entity) => (
            <li key={entity.apiName} className="ac-palette__entity">
              <span title={entity.apiName}>{entity.displayName}</span>
              <PlaceButton
                label={t("palette.addSource", { entity: entity.displayName, connector: connector.name })}
                icon={<IconDatabaseExport size={16} stroke={1.7} />}
                item={systemItem("source", connector, entity)}
              />
              {isWritable(connector, entity) ? (
                <PlaceButton
                  label={t("palette.addSink", { entity: entity.displayName, connector: connector.name })}
                  icon={<IconDatabaseImport size={16} stroke={1.7} />}
                  item={systemItem("sink", connector, entity)}
                />
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

function PlaceButton({ label, icon, item }: { label: string; icon: React.ReactNode; item: PaletteItem }) {
  const { place, readOnly } = useInsertNode();
  return (
    <button
      type="button"
      className={`ac-palette__place ac-palette__place--${item.kind}`}
      aria-label={label}
      title={label}
      disabled={readOnly}
      draggable={!readOnly}
      onDragStart={(event) => event.dataTransfer.setData(PALETTE_MIME, JSON.stringify(item))}
      onClick={() => place(item)}
    >
      {icon}
    </button>
  );
}
