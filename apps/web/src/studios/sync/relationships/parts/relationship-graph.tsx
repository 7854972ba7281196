/** Entities as cards with lines from what refers to what is referred to. Each card is a link, in the order of reading. */
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useRef } from "react";
import { useWords } from "../../../../app/words.ts";
import { nameOf } from "../queries.ts";
import { CARD, drawingOf, lineOf } from "../relationships.model.ts";
import { healthTone, HealthTag } from "./health-tag.tsx";
import type { RelationshipProps } from "./relationship-props.ts";

export function RelationshipGraph({ entities, references, healthOf, shownId }: RelationshipProps) {
  const { t } = useWords("sync");
  const drawing = useMemo(() => drawingOf(entities, references), [entities, references]);
  const shown = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    shown.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [shownId]);
  const byId = new Map(entities.map((entity): [string, (typeof entities)[number]] => [entity.id, entity]));
  const placeOf = new Map(drawing.cards.map((card) => [card.id, card]));
  const lines = references.flatMap(({ from, to, fields }) => {
    const [start, end] = [placeOf.get(from), placeOf.get(to)];
    if (!start || !end || from === to) return [];
    return [{ key: `${from} ${to}`, path: lineOf(start, end), fields, isShown: shownId === from || shownId === to }];
  });
  /** What screen readers learn instead of the lines. */
  const described = (id: string): string => {
    const targets = references.filter(({ from }) => from === id).map(({ to }) => nameOf(entities, to));
    return targets.length > 0 ? t("relationships.refersToNames", { names: targets.join(", ") }) : "";
  };
  return (
    <section className="ac-relationships__graph" aria-label={t("relationships.graph")}>
      <div style={{ width: drawing.width, height: drawing.height }}>
        <svg width={drawing.width} height={drawing.height} aria-hidden>
          <defs>
            <marker
              id="reference-end"
              viewBox="0 0 8 8"
              refX="7"
              markerUnits="userSpaceOnUse"
              refY="4"
              markerWidth="9"
              markerHeight="9"
              orient="auto"
            >
              <path d="M0,0 L8,4 L0,8 z" />
            </marker>
          </defs>
          {lines.map(({ key, path, fields, isShown }) => (
            <path key={key} d={path} data-shown={isShown || undefined} markerEnd="url(#reference-end)">
              <title>{fields.join(", ")}</title>
            </path>
          ))}
        </svg>
        <ul>
          {drawing.cards.map(({ id, x, y }) => {
            const entity = byId.get(id);
            if (!entity) return null;
            const isShown = id === shownId;
            const health = healthOf(id);
            return (
              <li key={id} style={{ left: x, top: y, width: CARD.width, height: CARD.height }}>
                <Link
                  ref={isShown ? shown : null}
                  to="/sync-studio/relationships/$entityId"
                  params={{ entityId: entity.id }}
                  search={(old) => old}
                  className="ac-relationships__card"
                  data-tone={healthTone(health)}
                  aria-current={isShown ? "true" : undefined}
                >
                  <strong title={entity.displayName}>{entity.displayName}</strong>
                  <HealthTag health={health} />
                  <span className="ac-hidden">{described(id)}</span>
                </Link>
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}
