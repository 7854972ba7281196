/** All entities of the unified model, or of one connected system; systems on the left. */
import { PageBody } from "@accord/ui";
import { IconDatabase } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePage } from "../../app/page.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { ConnectorIcon } from "../../shared/connector-icon/connector-icon.tsx";
import { CoreEntities } from "./parts/core-entities.tsx";
import { SystemEntities } from "./parts/system-entities.tsx";
import { useSystems } from "./queries.ts";
import { CORE } from "./schema.model.ts";
import "../../shared/text/text.css";
import "./schema-screen.css";

const route = getRouteApi("/signed-in/schema-studio/synapse/$connectorId");

export function SchemaScreen() {
  const { t } = useWords("schema");
  const { connectorId } = route.useParams();
  const systems = useSystems();
  const system = systems.data?.connectors.find((each) => each.id === connectorId);
  const name = connectorId === CORE ? t("core") : (system?.name ?? connectorId);
  usePage({ title: t("title"), crumbs: [{ label: t("title"), to: "/schema-studio" }, { label: name }] });
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <PageBody fill>
        <div className="ac-schema">
          <SystemList active={connectorId} />
          <div className="ac-schema__main">
            {connectorId === CORE ? (
              <CoreEntities />
            ) : (
              <SystemEntities key={connectorId} connectorId={connectorId} name={name} />
            )}
          </div>
        </div>
      </PageBody>
    </Demand>
  );
}

function SystemList({ active }: { active: string }) {
  const { t } = useWords("schema");
  const systems = useSystems();
  const entry = (id: string, name: string, icon: ReactNode) => (
    <li key={id}>
      <Link
        to="/schema-studio/synapse/$connectorId"
        params={{ connectorId: id }}
        className="ac-schema__system"
        aria-current={id === active ? "page" : undefined}
      >
        {icon}
        <span>{name}</span>
      </Link>
    </li>
  );
  const connectors = systems.data?.connectors ?? [];
  return (
    <nav className="ac-schema__systems" aria-label={t("systems")}>
      <ul>{entry(CORE, t("core"), <IconDatabase size={16} aria-hidden />)}</ul>
      <h2>{t("systems")}</h2>
      {systems.data && connectors.length === 0 ? (
        <p className="ac-quiet">
          {t("noSystems")}{" "}
          <Link to={"/synapses" as string} className="ac-link">
            {t("connect")}
          </Link>
        </p>
      ) : (
        <ul>
          {connectors.map((each) =>
            entry(
              each.id,
              each.name,
              <ConnectorIcon icon={each.metadata.icon} color={each.backgroundColor} size={20} />,
            ),
          )}
        </ul>
      )}
    </nav>
  );
}
