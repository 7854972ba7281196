/** Publishing or keeping the draft; after a failure what exists by then, and that it can be tried again. */
import { PipelineProblem } from "@accord/contracts/sync/pipelines";
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { z } from "zod";
import { ApiError } from "../../../../app/api-error.ts";
import { useWords } from "../../../../app/words.ts";
import { ForeignDraft } from "../create-pipeline.ts";
import type { MakingPipeline } from "../use-create-pipeline.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

interface Props {
  making: MakingPipeline;
  /** Of the core entity. */
  name: string;
  /** What has to be chosen or filled in before. */
  problem: string | undefined;
  onSubmit: (publishes: boolean) => Promise<void>;
}

const Refused = z.object({ problems: z.array(PipelineProblem) });

export function MakePipeline({ making: { state }, name, problem, onSubmit }: Props) {
  const { t } = useWords("sync");
  const { busy, failed } = state;
  return (
    <div className="ac-new-pipeline__make">
      {failed ? <Failure making={state} name={name} /> : null}
      <div className="ac-new-pipeline__buttons">
        <span role="status">{problem ?? t("newPipeline.publishHint")}</span>
        <Button
          variant="default"
          disabled={problem !== undefined || busy === "publishing"}
          loading={busy === "saving"}
          onClick={() => void onSubmit(false)}
        >
          {t("newPipeline.openEditor")}
        </Button>
        <Button
          disabled={problem !== undefined || busy === "saving"}
          loading={busy === "publishing"}
          onClick={() => void onSubmit(true)}
        >
          {t("newPipeline.publish")}
        </Button>
      </div>
    </div>
  );
}

function Failure({ making: { failed, made, isUnsure }, name }: { making: MakingPipeline["state"]; name: string }) {
  const { t } = useWords("sync");
  if (!failed) return null;
  const { cause, step } = failed;
  const problems = cause instanceof ApiError ? Refused.safeParse(cause.details).data?.problems : undefined;
  const exists = [
    made.entity ? t("newPipeline.exists.entity", { name: made.entity.displayName || name }) : null,
    made.isEarlierPublished
      ? t("newPipeline.exists.earlierPublished")
      : made.hasDraft
        ? t("newPipeline.exists.draft")
        : null,
  ].filter((each) => each !== null);
  const title = t(`newPipeline.failed.${step}`);
  const rest = (
    <>
      {problems ? (
        <ul>
          {problems
            .filter(({ severity }) => severity === "error")
            .map(({ errorMessage }) => (
              <li key={errorMessage}>{errorMessage}</li>
            ))}
        </ul>
      ) : null}
      <p>
        {exists.length > 0
          ? `${exists.join(" ")} ${t("newPipeline.exists.again")}`
          : isUnsure
            ? `${t("newPipeline.exists.unknown")} ${t("newPipeline.exists.again")}`
            : t("newPipeline.exists.nothing")}
      </p>
    </>
  );
  return cause instanceof ForeignDraft ? (
    <ErrorBox
      title={title}
      message={
        <>
          <p>{t("newPipeline.foreignDraft")}</p>
          {rest}
        </>
      }
    />
  ) : (
    <RefusalBox title={title} error={cause}>
      {rest}
    </RefusalBox>
  );
}
