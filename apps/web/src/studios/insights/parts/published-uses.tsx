/** Says in an editor which published dashboards hold a copy of what is edited: they don't follow until they are published again. */
import type { Dependency, PublishedUse } from "@accord/contracts/insights/datasets";
import { ErrorBox } from "@accord/ui";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useWords } from "../../../app/words.ts";

export interface PublishedUsesProps {
  uses: readonly PublishedUse[];
  /** Drafts that show what is edited: they change at once. */
  drafts?: readonly Dependency[];
}

export function PublishedUses({ uses, drafts = [] }: PublishedUsesProps) {
  return (
    <>
      {uses.length > 0 ? <Copies uses={uses} /> : null}
      {drafts.length > 0 ? <Drafts drafts={drafts} /> : null}
    </>
  );
}

function Drafts({ drafts }: { drafts: readonly Dependency[] }) {
  const { t } = useWords("insights");
  const names = drafts.map(({ displayName }) => displayName).join(", ");
  return <ErrorBox tone="info" message={t("publishedUses.drafts", { names })} />;
}

function Copies({ uses }: { uses: readonly PublishedUse[] }) {
  const { t } = useWords("insights");
  const shared = uses.filter(({ shares }) => shares > 0).length;
  return (
    <ErrorBox
      tone="info"
      title={t("publishedUses.title", { count: uses.length })}
      message={
        <>
          {t("publishedUses.body")} {shared > 0 ? `${t("publishedUses.shared", { count: shared })} ` : null}
          {uses.map(({ id, displayName }, index) => (
            <Fragment key={id}>
              {index > 0 ? ", " : null}
              <Link to="/insights-studio/$dashboardId" params={{ dashboardId: id }}>
                {displayName}
              </Link>
            </Fragment>
          ))}
        </>
      }
    />
  );
}
