/** The library: kinds of systems that can be connected. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import { CardSkeleton, EmptyState, SearchBox } from "@accord/ui";
import { IconPlus, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { kindsBy } from "../connections.model.ts";
import { useConnectorTypes } from "../queries.ts";
import { ConnectorIcon } from "../../../shared/connector-icon/connector-icon.tsx";

export function Library() {
  const { t } = useWords("connections");
  const types = useConnectorTypes();
  const [text, setText] = useState("");
  return (
    <section className="ac-library" aria-labelledby="library">
      <div className="ac-library__head">
        <div>
          <h2 id="library">{t("library")}</h2>
          <p>{t("libraryLead")}</p>
        </div>
        <SearchBox value={text} onChange={setText} placeholder={t("searchKinds")} hasShortcut={false} />
      </div>
      <QueryView query={types} skeleton={<TileSkeletons />}>
        {(data) => <KindGroups types={data.types} text={text} />}
      </QueryView>
    </section>
  );
}

function KindGroups({ types, text }: { types: readonly ConnectorType[]; text: string }) {
  const { t } = useWords("connections");
  const groups = kindsBy(types, text);
  if (groups.length === 0) return <NoKind />;
  return groups.map((group) => (
    <section key={group.category} aria-labelledby={`library-${group.category}`}>
      <h3 id={`library-${group.category}`} className="ac-library__group">
        {t(`group.${group.category}`)}
      </h3>
      <ul className="ac-synapses">
        {group.types.map((type) => (
          <LibraryTile key={type.id} type={type} />
        ))}
      </ul>
    </section>
  ));
}

export function NoKind() {
  const { t } = useWords("connections");
  return <EmptyState icon={<IconSearch size={22} />} title={t("noKind")} body={t("noKindBody")} />;
}

function LibraryTile({ type }: { type: ConnectorType }) {
  const { t } = useWords("connections");
  return (
    <li>
      <Link to="/synapses/connections/new" search={{ type: type.id }} className="ac-synapse" data-library>
        <div className="ac-synapse__head">
          <ConnectorIcon icon={type.icon} color={type.backgroundColor} size={40} />
          <div className="ac-synapse__words">
            <h4>{type.displayName}</h4>
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
