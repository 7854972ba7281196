/** One synapse as a tile: name, kind, state, what is wrong, and its menu. */
import type { Connector } from "@accord/contracts/connections/connectors";
import { RelativeTime } from "@accord/ui";
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";
import type { ConnectorActions } from "../use-connector-actions.tsx";
import { ConnectorIcon } from "../../../shared/connector-icon/connector-icon.tsx";
import { ConnectorStatusTag } from "./connector-status.tsx";
import { SchemaProgressBar } from "./schema-progress.tsx";

export function ConnectorTile({ connector, actions }: { connector: Connector; actions: ConnectorActions }) {
  const { t } = useWords("connections");
  const { metadata, schemaRefreshStatus } = connector;
  const isReading = schemaRefreshStatus === "PROCESSING";
  return (
    <li className="ac-synapse">
      <div className="ac-synapse__head">
        <ConnectorIcon icon={metadata.icon} color={metadata.backgroundColor} size={40} />
        <div className="ac-synapse__words">
          <h2>
            <Link to="/synapses/connections/$connectorId" params={{ connectorId: connector.id }}>
              {connector.name}
            </Link>
          </h2>
          <p>{connector.typeName}</p>
        </div>
        <TileMenu connector={connector} actions={actions} />
      </div>
      {isReading ? (
        <SchemaProgressBar connector={connector} />
      ) : connector.errorMessage ? (
        <p className="ac-synapse__problem">{connector.errorMessage}</p>
      ) : null}
      <div className="ac-synapse__foot">
        <ConnectorStatusTag connector={connector} />
        <span>
          {connector.schemaRefreshedAt ? t("entityCount", { count: connector.entityCount }) : t("noEntitiesYet")}
        </span>
        {connector.schemaRefreshedAt ? (
          <span>
            {t("refreshed")} <RelativeTime at={connector.schemaRefreshedAt} />
          </span>
        ) : null}
      </div>
    </li>
  );
}

function TileMenu({ connector, actions }: { connector: Connector; actions: ConnectorActions }) {
  const { t } = useWords();
  const entries = actions.menu(connector);
  if (entries.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`${t("action.more")}: ${connector.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ label, danger, onSelect }) => (
          <Menu.Item key={label} color={danger ? "error" : undefined} onClick={onSelect}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
