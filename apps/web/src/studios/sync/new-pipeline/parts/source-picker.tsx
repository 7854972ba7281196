/** Systems and their entities to choose from, each that can't be chosen with its reason; and the one that was chosen. */
import type { Connector, ConnectorEntity, ConnectorEntitySummary } from "@accord/contracts/connections/connectors";
import { Card, EmptyState, ErrorBox, SearchBox, StatusTag } from "@accord/ui";
import { Anchor, Button } from "@mantine/core";
import { IconPlugConnectedX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useId, useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";
import { useSystemEntities, type SystemEntities } from "../queries.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

interface PickerProps {
  connectors: readonly Connector[];
  onChoose: (chosen: { connectorId: string; entity: string }) => void;
}

export function SourcePicker({ connectors, onChoose }: PickerProps) {
  const { t } = useWords("sync");
  const [text, setText] = useState("");
  const systems = useSystemEntities(connectors);
  const shown = systems.flatMap((system) => narrowed(system, text));
  if (connectors.length === 0)
    return (
      <EmptyState
        icon={<IconPlugConnectedX size={22} />}
        title={t("newPipeline.noSystems")}
        action={
          <Button renderRoot={(props) => <Link to="/synapses/connections/new" {...props} />}>
            {t("newPipeline.connect")}
          </Button>
        }
      />
    );
  return (
    <Card
      title={t("newPipeline.source")}
      actions={
        <SearchBox
          value={text}
          onChange={setText}
          onEnter={(typed) => {
            const first = firstMatch(systems, typed);
            if (first) onChoose(first);
          }}
          placeholder={t("newPipeline.search")}
        />
      }
    >
      <p className="ac-new-pipeline__hint">{t("newPipeline.sourceHint")}</p>
      {shown.length === 0 ? <EmptyState compact title={t("newPipeline.noMatch", { text })} /> : null}
      <div className="ac-new-pipeline__systems">
        {shown.map((system) => (
          <System key={system.connector.id} system={system} onChoose={onChoose} />
        ))}
      </div>
    </Card>
  );
}

/** The first of what a search shows, where that can be read; none while a system has still to say what it has. */
function firstMatch(
  systems: readonly SystemEntities[],
  typed: string,
): { connectorId: string; entity: string } | undefined {
  if (typed.trim() === "" || systems.some(({ isPending }) => isPending)) return undefined;
  const [first] = systems
    .flatMap((system) => narrowed(system, typed))
    .flatMap(({ connector, entities }) => entities.map((entity) => ({ connector, entity })));
  if (!first || !isOffered(first.connector, first.entity)) return undefined;
  return { connectorId: first.connector.id, entity: first.entity.apiName };
}

/** A system with those of its entities that every word is about, its own or that of the system; by its name with all. */
function narrowed(system: SystemEntities, text: string): SystemEntities[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (name: string) => words.every((word) => name.toLowerCase().includes(word));
  const { name } = system.connector;
  if (has(name)) return [system];
  const entities = system.entities.filter(({ displayName, apiName }) => has(`${name} ${displayName} ${apiName}`));
  return entities.length > 0 ? [{ ...system, entities }] : [];
}

const isOffered = (connector: Connector, entity: ConnectorEntitySummary): boolean =>
  connector.status === "ACTIVE" && entity.status === "ACTIVE" && entity.problem === null;

function System({ system, onChoose }: { system: SystemEntities; onChoose: PickerProps["onChoose"] }) {
  const { t } = useWords("sync");
  const { connector, entities, isPending, error } = system;
  const heading = useId();
  const isActive = connector.status === "ACTIVE";
  return (
    <section aria-labelledby={heading}>
      <h3 id={heading}>
        <ConnectorIcon icon={connector.metadata.icon} color={connector.metadata.backgroundColor} size={22} />
        {connector.name}
      </h3>
      {error ? <RefusalBox error={error} /> : null}
      {isActive && entities.length === 0 && !isPending && !error ? <p>{t("newPipeline.noEntities")}</p> : null}
      {isActive ? null : (
        <p>
          <NotActive connector={connector} />
        </p>
      )}
      <ul>
        {entities.map((entity) => (
          <li key={entity.apiName}>
            <Entity
              entity={entity}
              isActive={isActive}
              onChoose={() => onChoose({ connectorId: connector.id, entity: entity.apiName })}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Why a system can't be read, and the way to where that can be changed. */
function NotActive({ connector: { id, status } }: { connector: Connector }) {
  const { t } = useWords("sync", "connections");
  return (
    <>
      {t("newPipeline.notActive", { status: t(`connections:status.${status}`).toLowerCase() })}{" "}
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/synapses/connections/$connectorId" params={{ connectorId: id }} {...props} />}
      >
        {t("newPipeline.openSystem")}
      </Anchor>
    </>
  );
}

interface EntityProps {
  entity: ConnectorEntitySummary;
  isActive: boolean;
  onChoose: () => void;
}

function Entity({ entity, isActive, onChoose }: EntityProps) {
  const { t } = useWords("sync");
  const reason = entity.status === "ACTIVE" ? entity.problem : t("newPipeline.entityGone");
  return (
    <button
      type="button"
      className="ac-new-pipeline__entity"
      disabled={!isActive || reason !== null}
      onClick={onChoose}
    >
      <strong>{entity.displayName}</strong>{" "}
      <span>{reason ?? t("newPipeline.fieldCount", { count: entity.fieldCount })}</span>
    </button>
  );
}

/** What was chosen, and the way back to choosing. */
export function SourceCard({
  connector,
  entity,
  onChange,
}: {
  connector: Connector;
  entity: ConnectorEntity;
  onChange: () => void;
}) {
  const { t } = useWords("sync");
  const reason = entity.status === "ACTIVE" ? entity.problem : t("newPipeline.entityGone");
  return (
    <Card
      title={t("newPipeline.source")}
      actions={
        <Button variant="default" size="xs" onClick={onChange}>
          {t("newPipeline.change")}
        </Button>
      }
    >
      <div className="ac-new-pipeline__chosen">
        <ConnectorIcon icon={connector.metadata.icon} color={connector.metadata.backgroundColor} size={30} />
        <div>
          <strong>{entity.displayName}</strong>
          <span>
            {connector.name} · {t("newPipeline.fieldCount", { count: entity.fieldCount })}
          </span>
        </div>
        {entity.readOnly ? <StatusTag tone="idle">{t("newPipeline.readOnly")}</StatusTag> : null}
      </div>
      {connector.status === "ACTIVE" ? null : <ErrorBox tone="warn" message={<NotActive connector={connector} />} />}
      {reason ? <ErrorBox tone="warn" message={reason} /> : null}
    </Card>
  );
}
