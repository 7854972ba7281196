/** What somebody with an empty instance does first: three steps, of which the next one has the button. */
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { Button, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useWords } from "../../app/words.ts";
import { type FirstStep, firstSteps } from "./home.model.ts";
import { useConnectors } from "./queries.ts";

export function FirstSteps({ rows }: { rows: readonly PipelineRow[] }) {
  const { t } = useWords("identity");
  const connectors = useConnectors();
  const draft = rows.find(({ pipelineStatus }) => pipelineStatus === "DRAFT");
  if (connectors.isPending) return null;
  return (
    <section className="ac-first" aria-labelledby="first-steps">
      <h2 id="first-steps">{t("home.first.title")}</h2>
      <p>{t("home.first.lead")}</p>
      <ol>
        {firstSteps(connectors.data?.connectors ?? [], rows).map((step, place) => (
          <Step key={step.id} step={step} number={place + 1} draftName={draft?.name ?? ""} />
        ))}
      </ol>
    </section>
  );
}

function Step({ step, number, draftName }: { step: FirstStep; number: number; draftName: string }) {
  const { t } = useWords("identity");
  return (
    <li data-state={step.state} aria-current={step.state === "next" ? "step" : undefined}>
      <span className="ac-first__mark" aria-hidden>
        {step.state === "done" ? <IconCheck size={16} stroke={2} /> : number}
      </span>
      <div>
        <h3>
          {t(`home.first.${step.id}`)}
          {step.state === "done" ? <VisuallyHidden> ({t("home.first.done")})</VisuallyHidden> : null}
        </h3>
        <p>{t(`home.first.${step.id}Hint`)}</p>
      </div>
      {step.state === "next" ? (
        <Button component={Link} to={step.to}>
          {t(`home.first.${step.id}Deed`, { name: draftName })}
        </Button>
      ) : null}
    </li>
  );
}
