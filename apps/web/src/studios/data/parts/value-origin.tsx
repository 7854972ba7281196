/** Who set a field's value and when, in small print; it leads to the field's history. */
import type { getRecordAsOf } from "@accord/contracts/sync/monitoring/explain";
import type { ReplyOf } from "@accord/contracts";
import { RelativeTime } from "@accord/ui";
import { VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";
import { useAreSystemsKnown, useSystems } from "../use-systems.ts";

export type SetBy = NonNullable<ReplyOf<typeof getRecordAsOf>["fields"][number]["setBy"]>;

export interface ValueOriginProps {
  entityId: string;
  recordId: string;
  field: { apiName: string; displayName: string };
  setBy: SetBy;
}

export function ValueOrigin({ entityId, recordId, field, setBy }: ValueOriginProps) {
  const { t } = useWords("data");
  const who = useActorName(setBy.actor);
  return (
    <Link
      className="ac-origin"
      to="/data-studio/entity/$entityId/record/$recordId/lineage"
      params={{ entityId, recordId }}
      search={{ field: field.apiName }}
    >
      <VisuallyHidden>{t("origin.label", { field: field.displayName })} </VisuallyHidden>
      {who}, <RelativeTime at={setBy.at} />
    </Link>
  );
}

function useActorName(actor: SetBy["actor"]): string {
  const { t } = useWords("data");
  const systems = useSystems();
  const areKnown = useAreSystemsKnown();
  if (actor.kind === "user") return actor.name || t("origin.person");
  if (actor.kind === "system") return t("origin.accord");
  return systems.get(actor.connectorId)?.name ?? t(areKnown ? "origin.system" : "origin.someSystem");
}
