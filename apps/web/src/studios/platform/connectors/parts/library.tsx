/** The library: kinds of systems that can be connected. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import { CardSkeleton } from "@accord/ui";
import { IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { useConnectorTypes } from "../queries.ts";
import { ConnectorIcon } from "../../../../shared/connector-icon/connector-icon.tsx";

export function Library() {
  const { t } = useWords("connections");
  const types = useConnectorTypes();
  return (
    <section className="ac-library" aria-labelledby="library">
      <h2 id="library">{t("library")}</h2>
      <p>{t("libraryLead")}</p>
      <QueryView query={types} skeleton={<TileSkeletons />}>
        {(data) => (
          <ul className="ac-synapses">
            {data.types.map((type) => (
              <LibraryTile key={type.id} type={type} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}

export function LibraryTile({ type }: { type: ConnectorType }) {
  const { t } = useWords("connections");
  return (
    <li>
      <Link to="/synapses/connections/new" search={{ type: type.id }} className="ac-synapse" data-library>
        <div className="ac-synapse__head">
          <ConnectorIcon icon={type.icon} color={type.backgroundColor} size={40} />
          <div className="ac-synapse__words">
            <h3>{type.displayName}</h3>
            <p>{t(`category.${type.category}`)}</p>
          </div>
          <span className="ac-library__connect">
            <IconPlus size={14} aria-hidden />
            {t("connect")}
          </span>
        </div>
        <p className="ac-synapse__about">{type.description}</p>
      </Link>
    </li>
  );
}

export const TileSkeletons = () => (
  <div className="ac-synapses">
    <CardSkeleton />
    <CardSkeleton />
    <CardSkeleton />
  </div>
);
