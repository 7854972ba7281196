/** Says in an editor which published dashboards hold a copy of what is edited: they don't follow until they are published again. */
import type { PublishedUse } from "@accord/contracts/insights/datasets";
import { ErrorBox } from "@accord/ui";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { useWords } from "../../app/words.ts";

export function PublishedUses({ uses }: { uses: readonly PublishedUse[] }) {
  const { t } = useWords("insights");
  if (uses.length === 0) return null;
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
