/** The palette of a field pipeline: fields of the systems that the entity pipeline reads and writes, system by system. */
import type { Id } from "@accord/contracts";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";
import type { PaletteItem, PlaceItem } from "../canvas/new-node.ts";
import { useConnectorFields } from "../queries.ts";
import { EntryButton } from "./entry-list.tsx";
import type { PaletteEntry } from "./palette-entry.ts";
import { PaletteSkeleton, Section } from "./section.tsx";

interface Props {
  entityId: Id<"entity">;
  entries: readonly PaletteEntry[];
  readOnly: boolean;
  onPick: (item: PaletteItem) => void;
}

type FieldEntry = PaletteEntry & { item: PlaceItem };

const isOnSide =
  (kind: PlaceItem["kind"]) =>
  (entry: PaletteEntry): entry is FieldEntry =>
    entry.item.kind === kind;

export function FieldSections({ entityId, entries, ...pick }: Props) {
  const { t } = useWords("sync");
  const { isPending } = useConnectorFields(entityId);
  return (["source", "sink"] as const).map((kind) => {
    const places = Map.groupBy(
      entries.filter(isOnSide(kind)),
      ({ item }) => `${item.connectorName} · ${item.entityName}`,
    );
    return (
      <Section
        key={kind}
        title={t(kind === "source" ? "fieldPipeline.sourceFields" : "fieldPipeline.destinationFields")}
      >
        {isPending ? <PaletteSkeleton /> : null}
        {!isPending && places.size === 0 ? <li className="ac-palette__none">{t("fieldPipeline.noFields")}</li> : null}
        {[...places].map(([name, fields]) => (
          <PlaceFields key={name} name={name} fields={fields} {...pick} />
        ))}
      </Section>
    );
  });
}

function PlaceFields({
  name,
  fields,
  readOnly,
  onPick,
}: Omit<Props, "entityId" | "entries"> & { name: string; fields: readonly FieldEntry[] }) {
  const [open, setOpen] = useState(false);
  const connector = fields[0]?.connector;
  return (
    <li>
      <button type="button" className="ac-palette__system" aria-expanded={open} onClick={() => setOpen(!open)}>
        {connector ? (
          <ConnectorIcon icon={connector.metadata.icon} color={connector.backgroundColor} size={20} />
        ) : null}
        <span className="ac-palette__system-name">{name}</span>
        <span className="ac-palette__count">{fields.length}</span>
      </button>
      {open ? (
        <ul>
          {fields.map((entry, index) => (
            <li key={entry.key}>
              <EntryButton entry={entry} isStop={index === 0} disabled={readOnly} onPick={() => onPick(entry.item)} />
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
