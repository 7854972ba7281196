/** Nodes of pipelines that perform the action, and which of them fit its variables no more. */
import { Card } from "@accord/ui";
import type { Id } from "@accord/contracts";
import type { ActionUse } from "@accord/contracts/sync/custom-action-checks";
import { type VariableMismatch, variableMismatches } from "@accord/sync-engine/actions";
import { Skeleton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { useActionUses } from "../queries.ts";
import type { ActionForm } from "../use-action-form.ts";

export function UsesCard({ form, actionId }: { form: ActionForm; actionId: Id<"customAction"> }) {
  const { t } = useWords("customActions");
  const uses = useActionUses(actionId);
  return (
    <Card title={t("uses.title")} className="ac-action-card">
      <QueryView query={uses} skeleton={<Skeleton height={40} />}>
        {(data) =>
          data.uses.length === 0 ? (
            <p className="ac-quiet">{t("uses.none")}</p>
          ) : (
            <UseList form={form} uses={data.uses} />
          )
        }
      </QueryView>
    </Card>
  );
}

function UseList({ form, uses }: { form: ActionForm; uses: readonly ActionUse[] }) {
  const { t } = useWords("customActions");
  const rows = uses.map((use) => ({
    use,
    mismatches: variableMismatches(form.draft.variables, use.variables, form.saved.variables),
  }));
  const unfit = rows.filter(({ mismatches }) => mismatches.length > 0).length;
  return (
    <>
      {unfit > 0 ? (
        <p role="status" className="ac-action-mismatches">
          <IconAlertTriangle size={15} aria-hidden /> {t("uses.afterSave", { count: unfit })}
        </p>
      ) : null}
      <ul className="ac-action-uses">
        {rows.map(({ use, mismatches }) => (
          <li key={`${use.entityId} ${use.graphVersion} ${use.nodeId}`}>
            <Link
              to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
              params={{ entityId: use.entityId, graphVersion: use.graphVersion }}
              search={use.scope === "entity" ? { focusNodeId: use.nodeId } : {}}
            >
              {use.pipeline}
            </Link>
            <span>{t("uses.node", { label: use.label, version: t(`uses.${use.graphVersion}`) })}</span>
            {mismatches.length > 0 ? (
              <ul>
                {mismatches.map((mismatch) => (
                  <Mismatch key={`${mismatch.kind} ${mismatch.name}`} mismatch={mismatch} />
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  );
}

function Mismatch({ mismatch: { kind, name, reason } }: { mismatch: VariableMismatch }) {
  const { t } = useWords("customActions");
  return <li>{t(`uses.${kind}`, { name, reason: reason ?? "" })}</li>;
}
