/** One system an explanation speaks of: what it comes to there, in words, and the record's way through the nodes. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { ExplainedStep } from "@accord/contracts/sync/monitoring/explain";
import { StatusTag, type Tone } from "@accord/ui";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWords } from "../../../app/words.ts";
import { useSystems } from "../use-systems.ts";
import { ExplainedChanges } from "./explained-values.tsx";
import { SystemIcon } from "./system-icon.tsx";
import "../../../shared/text/text.css";

export interface ExplainedPlaceProps {
  entity: CoreEntity;
  place: {
    nodeId: string;
    label: string;
    connectorId: string;
    connectorEntity: string;
    externalId: string | null;
    message: string;
    steps: readonly ExplainedStep[];
  };
  tone: Tone;
  outcome: string;
  /** Said after the message, in a lower voice. */
  remark?: ReactNode;
  children: ReactNode;
}

export function ExplainedPlace({ entity, place, tone, outcome, remark, children }: ExplainedPlaceProps) {
  const { t } = useWords("data");
  const system = useSystems().get(place.connectorId);
  const name = system?.name ?? place.connectorEntity;
  const isTelling = place.steps.some(({ ends, failure, warnings }) => ends || failure || warnings.length > 0);
  return (
    <article className="ac-explained" aria-label={`${name} ${place.connectorEntity}`}>
      <header>
        {system ? <SystemIcon {...system} /> : null}
        <h3>
          <NodeLink entity={entity} nodeId={place.nodeId} label={place.label} text={name} />
          <small>
            {place.connectorEntity} {place.externalId}
          </small>
        </h3>
        <StatusTag tone={tone}>{outcome}</StatusTag>
      </header>
      <p>
        {place.message} {remark ? <span className="ac-quiet">{remark}</span> : null}
      </p>
      {children}
      {place.steps.length > 0 ? (
        <details className="ac-explained__more" open={isTelling}>
          <summary>{t("explain.steps", { count: place.steps.length })}</summary>
          <ol className="ac-explained__steps">
            {place.steps.map((step, index) => (
              <Step key={`${step.nodeId} ${index}`} entity={entity} step={step} />
            ))}
          </ol>
        </details>
      ) : null}
    </article>
  );
}

function Step({ entity, step }: { entity: CoreEntity; step: ExplainedStep }) {
  const { t } = useWords("data");
  const { route } = step;
  const way = route === "true" || route === "false" ? t(`explain.route_${route}`) : route;
  return (
    <li>
      <span className="ac-explained__step">
        <NodeLink entity={entity} nodeId={step.nodeId} label={step.label} text={step.label} />
        {way !== null && way !== "default" ? <small>{t("explain.decides", { route: way })}</small> : null}
        {step.ends ? <StatusTag tone="idle">{t("explain.endsHere")}</StatusTag> : null}
      </span>
      {step.failure ? <p className="ac-explained__failure">{step.failure.message}</p> : null}
      {step.warnings.map(({ code, message }) => (
        <p key={code} className="ac-explained__warning">
          {message}
        </p>
      ))}
      <ExplainedChanges entity={entity} changes={step.changes} />
    </li>
  );
}

function NodeLink({
  entity,
  nodeId,
  label,
  text,
}: {
  entity: CoreEntity;
  nodeId: string;
  label: string;
  text: string;
}) {
  const { t } = useWords("data");
  return (
    <Link
      className="ac-name"
      to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
      params={{ entityId: entity.id, graphVersion: "published" }}
      search={{ focusNodeId: nodeId }}
      title={t("explain.toNode", { name: label })}
    >
      {text}
    </Link>
  );
}
