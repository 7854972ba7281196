/** What can be placed: entities of connected systems on both sides, functions and actions by family. */
import { Skeleton, TextInput } from "@mantine/core";
import { IconBolt, IconDatabaseExport, IconDatabaseImport, IconFunction, IconSearch } from "@tabler/icons-react";
import type { Connector } from "@accord/contracts/connections/connectors";
import type { FunctionDescription } from "@accord/contracts/sync/palette";
import type { Id } from "@accord/contracts";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { PALETTE_MIME, type PaletteItem } from "../new-node.ts";
import { useConnectorEntities, useConnectors, usePalette } from "../queries.ts";
import { usePlacing } from "../use-placing.ts";
import "./palette.css";

export function Palette({ entityId }: { entityId: Id<"entity"> }) {
  const { t } = useWords("sync");
  const [search, setSearch] = useState("");
  const palette = usePalette(entityId);
  const text = search.trim().toLowerCase();
  const found = (item: FunctionDescription) =>
    `${item.label} ${item.helpSummary} ${item.family}`.toLowerCase().includes(text);
  const functions = (palette.data?.functions ?? []).filter(found);
  const actions = (palette.data?.actions ?? []).filter(found);
  return (
    <aside className="ac-palette" aria-label={t("palette.title")}>
      <TextInput
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        placeholder={t("palette.search")}
        aria-label={t("palette.search")}
        leftSection={<IconSearch size={15} />}
      />
      <div className="ac-palette__scroll" tabIndex={0} role="group" aria-label={t("palette.title")}>
        <Systems text={text} />
        {palette.isPending ? <PaletteSkeleton /> : null}
        {families(functions).map(([family, items]) => (
          <Section key={family} title={t(`palette.family_${family}`)}>
            {items.map((item) => (
              <FunctionEntry key={item.name} item={item} />
            ))}
          </Section>
        ))}
        {actions.length > 0 ? (
          <Section title={t("palette.actions")}>
            {actions.map((item) => (
              <FunctionEntry key={item.name} item={item} />
            ))}
          </Section>
        ) : null}
        {text && palette.data && functions.length + actions.length === 0 ? (
          <p className="ac-palette__none">{t("palette.nothing", { text: search.trim() })}</p>
        ) : null}
      </div>
      <p className="ac-palette__hint">{t("palette.hint")}</p>
    </aside>
  );
}

type Family = FunctionDescription["family"];

function families(items: readonly FunctionDescription[]): [Family, FunctionDescription[]][] {
  const groups = new Map<Family, FunctionDescription[]>();
  for (const item of items) groups.set(item.family, [...(groups.get(item.family) ?? []), item]);
  return [...groups];
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="ac-palette__section">
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

function Systems({ text }: { text: string }) {
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
        <SystemEntries key={connector.id} connector={connector} text={text} />
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

function SystemEntries({ connector, text }: { connector: Connector; text: string }) {
  const { t } = useWords("sync");
  const [open, setOpen] = useState(false);
  const entities = useConnectorEntities(connector.id);
  const matching = (entities.data?.entities ?? [])
    .filter((entity) => entity.status === "ACTIVE")
    .filter((entity) => `${connector.name} ${entity.displayName} ${entity.apiName}`.toLowerCase().includes(text));
  if (text && matching.length === 0) return null;
  const shown = open || Boolean(text);
  return (
    <li>
      <button type="button" className="ac-palette__system" aria-expanded={shown} onClick={() => setOpen(!open)}>
        <span className="ac-palette__system-name">{connector.name}</span>
        <span className="ac-palette__count">{entities.data?.entities.length ?? connector.entityCount}</span>
      </button>
      {shown ? (
        <ul>
          {matching.map((entity) => (
            <li key={entity.apiName} className="ac-palette__entity">
              <span title={entity.apiName}>{entity.displayName}</span>
              <PlaceButton
                label={t("palette.addSource", { entity: entity.displayName, connector: connector.name })}
                icon={<IconDatabaseExport size={16} stroke={1.7} />}
                item={placeItem("source", connector, entity)}
              />
              <PlaceButton
                label={t("palette.addSink", { entity: entity.displayName, connector: connector.name })}
                icon={<IconDatabaseImport size={16} stroke={1.7} />}
                item={placeItem("sink", connector, entity)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}

const placeItem = (
  kind: "source" | "sink",
  connector: Connector,
  entity: { apiName: string; displayName: string },
): PaletteItem => ({
  kind,
  connectorId: connector.id,
  connectorName: connector.name,
  entity: entity.apiName,
  entityName: entity.displayName,
});

function PlaceButton({ label, icon, item }: { label: string; icon: React.ReactNode; item: PaletteItem }) {
  const { place, readOnly } = usePlacing();
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

function FunctionEntry({ item }: { item: FunctionDescription }) {
  const { t } = useWords("sync");
  const { place, readOnly } = usePlacing();
  const Icon = item.kind === "ACTION" ? IconBolt : IconFunction;
  const palette: PaletteItem = {
    kind: item.kind === "ACTION" ? "action" : "function",
    apiName: item.name,
    label: item.label,
    defaults: Object.fromEntries(
      item.inputs.flatMap((input) => (input.defaultValue === undefined ? [] : [[input.name, input.defaultValue]])),
    ),
  };
  return (
    <li>
      <button
        type="button"
        className={`ac-palette__function ac-palette__function--${palette.kind}`}
        title={item.helpSummary}
        aria-label={t("palette.addFunction", { name: item.label })}
        disabled={readOnly}
        draggable={!readOnly}
        onDragStart={(event) => event.dataTransfer.setData(PALETTE_MIME, JSON.stringify(palette))}
        onClick={() => place(palette)}
      >
        <Icon size={15} stroke={1.7} aria-hidden />
        {item.label}
      </button>
    </li>
  );
}

function PaletteSkeleton() {
  return (
    <>
      {[0, 1, 2].map((row) => (
        <Skeleton key={row} height={26} mb={4} radius="sm" />
      ))}
    </>
  );
}
