/** One entity beside the graph: how it is doing, what it refers to, what refers to it, and ways to its pages. */
import { SidePanel } from "@accord/ui";
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { HealthReasons } from "../../../../shared/health.tsx";
import { nameOf } from "../queries.ts";
import { HealthTag } from "./health-tag.tsx";
import type { RelationshipProps } from "./relationship-props.ts";

interface Props extends RelationshipProps {
  entity: CoreEntity;
  onClose: () => void;
}

export function EntityPanel({ entity, entities, references, healthOf, onClose }: Props) {
  const { t } = useWords("sync");
  const health = healthOf(entity.id);
  const params = { entityId: entity.id };
  return (
    <SidePanel title={entity.displayName} subtitle={entity.description || undefined} width={320} onClose={onClose}>
      <div className="ac-relationships__facts">
        {health && health.reasons.length > 0 ? (
          <HealthReasons entityId={entity.id} health={health} max={10} />
        ) : (
          <HealthTag health={health} />
        )}
        <References
          title={t("relationships.refersTo")}
          none={t("relationships.refersToNothing")}
          lines={references
            .filter(({ from }) => from === entity.id)
            .map(({ to, fields }) => ({ id: to, name: nameOf(entities, to), fields }))}
        />
        <References
          title={t("relationships.referredBy")}
          none={t("relationships.referredByNothing")}
          lines={references
            .filter(({ to }) => to === entity.id)
            .map(({ from, fields }) => ({ id: from, name: nameOf(entities, from), fields }))}
        />
        <nav aria-label={t("addresses.pages")}>
          <Link to="/sync-studio/details/$entityId" params={params}>
            {t("relationships.openDetails")}
          </Link>
          <Link to="/sync-studio/entity/$entityId/pipeline" params={params}>
            {t("relationships.openPipeline")}
          </Link>
          <Link to="/data-studio/entity/$entityId" params={params}>
            {t("configure.openRecords")}
          </Link>
        </nav>
      </div>
    </SidePanel>
  );
}

interface ReferencesProps {
  title: string;
  none: string;
  lines: readonly { id: Id<"entity">; name: string; fields: readonly string[] }[];
}

function References({ title, none, lines }: ReferencesProps) {
  return (
    <section>
      <h3>{title}</h3>
      {lines.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul>
          {lines.map(({ id, name, fields }) => (
            <li key={id}>
              <Link to="/sync-studio/relationships/$entityId" params={{ entityId: id }} search={(old) => old}>
                {name}
              </Link>{" "}
              <span>{fields.join(", ")}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
