/** What is proposed, part by part, with what the last question changed of it. */
import type { CardProposal } from "@accord/contracts/insights/card-assistant";
import { ErrorBox } from "@accord/ui";
import { VisuallyHidden } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { type FactChange, factChanges, useFacts } from "./proposal-facts.ts";

interface DiffProps {
  before: CardProposal | undefined;
  after: CardProposal;
}

export function ProposalDiff({ before, after }: DiffProps) {
  const { t } = useWords("insights");
  const factsOf = useFacts();
  const changes = factChanges(before ? factsOf(before) : null, factsOf(after));
  const title = t(before ? "assistant.changes" : "assistant.proposal");
  return (
    <section className="ac-assistant__diff" aria-label={title}>
      <h2>{title}</h2>
      <dl>
        {changes.map((change) => (
          <div key={change.fact} data-kind={change.kind}>
            <dt>{t(`assistant.fact.${change.fact}`)}</dt>
            <dd>
              <Change change={change} />
            </dd>
          </div>
        ))}
      </dl>
      {after.ignored.length > 0 ? (
        <ErrorBox tone="info" message={t("assistant.ignored", { words: after.ignored.join(", ") })} />
      ) : null}
    </section>
  );
}

function Change({ change: { kind, before, after } }: { change: FactChange }) {
  const { t } = useWords("insights");
  if (kind === "same") return <span>{after}</span>;
  return (
    <>
      <VisuallyHidden>{t(`assistant.${kind}`)} </VisuallyHidden>
      {after === "" ? null : <ins>{after}</ins>}
      {before === "" ? null : (
        <>
          <VisuallyHidden> {t("assistant.before")} </VisuallyHidden>
          <del>{before}</del>
        </>
      )}
    </>
  );
}
