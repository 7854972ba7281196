/** What publishing changes, in words: the dashboard, its cards, their datasets. */
import { VIZ_TYPES, type VizType } from "@accord/contracts/insights/cards";
import type { ChangedPart, UnpublishedChange } from "@accord/contracts/insights/dashboard-changes";
import { useWords } from "../../../app/words.ts";

const KINDS = ["dashboard", "dataCard", "dataset"] as const;

export function ChangeList({ changes }: { changes: readonly UnpublishedChange[] }) {
  const { t } = useWords("insights");
  if (changes.length === 0) return <p>{t("changes.none")}</p>;
  return (
    <div className="ac-changes">
      {KINDS.map((kind) => {
        const own = changes.filter((one) => one.kind === kind);
        if (own.length === 0) return null;
        return (
          <section key={kind} aria-label={t(`changes.${kind}`)}>
            <h3>{t(`changes.${kind}`)}</h3>
            <ul>
              {own.map((one) => (
                <li key={one.id}>
                  <strong>{one.displayName}</strong> <Parts change={one} />
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

function Parts({ change }: { change: UnpublishedChange }) {
  const { t } = useWords("insights");
  if (change.change !== "updated") return <span>{t(`changes.${change.change}`)}</span>;
  const valueOf = (part: ChangedPart["part"], text = ""): string => {
    const type = part === "vizType" ? VIZ_TYPES.find((one): one is VizType => one === text) : undefined;
    return type ? t(`cardType.${type}.name`) : text || t("changes.nothing");
  };
  const words = change.parts.map(({ part, name = "", before, after }) =>
    t(`changes.part.${part}`, { name, before: valueOf(part, before), after: valueOf(part, after) }),
  );
  return <span>{words.join(", ")}</span>;
}
