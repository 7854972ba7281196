/** Which drafts of field pipelines are published with their entity pipeline: those that are ready, all, or chosen ones. */
import { ErrorBox } from "@accord/ui";
import { Button, Checkbox, Radio, Stack } from "@mantine/core";
import type { FieldChoice } from "@accord/contracts/sync/field-choice";
import type { FieldPipelineRow } from "@accord/contracts/sync/field-pipelines";
import type { Id } from "@accord/contracts";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { FieldStateTags } from "../field-pipeline/field-state.tsx";
import { isReady, takenOf } from "./shown-field-drafts.ts";
import "../field-pipeline/field-pipeline.css";

type Way = "ready" | "all" | "pick";

interface ChoiceProps {
  /** Fields with a draft. */
  drafts: readonly FieldPipelineRow[];
  value: FieldChoice;
  onChange: (value: FieldChoice) => void;
}

/** Nothing where no field pipeline has a draft. */
export function FieldPipelineChoice(props: ChoiceProps) {
  return props.drafts.length === 0 ? null : <Choice {...props} />;
}

function Choice({ value, onChange, drafts }: ChoiceProps) {
  const { t } = useWords("sync");
  const [picked, setPicked] = useState(() =>
    typeof value === "string" ? drafts.filter(isReady).map(({ id }) => id) : value,
  );
  const way: Way = typeof value === "string" ? value : "pick";
  const taken = takenOf(drafts, value);
  const pick = (id: Id<"field">, isPicked: boolean): void => {
    const before = taken.map((row) => row.id);
    const next = isPicked ? [...before, id] : before.filter((one) => one !== id);
    setPicked(next);
    onChange(next);
  };
  return (
    <Radio.Group
      className="ac-field-choice"
      label={t("fieldPipeline.choice")}
      description={t("fieldPipeline.choiceHint")}
      value={way}
      onChange={(next) => onChange(next === "pick" ? picked : next === "all" ? "all" : "ready")}
    >
      <Stack gap={10} my={10}>
        <Radio value="ready" label={t("fieldPipeline.choiceReady", { count: drafts.filter(isReady).length })} />
        <Radio value="all" label={t("fieldPipeline.choiceAll", { count: drafts.length })} />
        <Radio value="pick" label={t("fieldPipeline.choicePick")} />
      </Stack>
      <ul aria-label={t("fieldPipeline.choice")}>
        {drafts.map((row) => (
          <li key={row.id}>
            <Checkbox
              label={row.displayName}
              checked={taken.includes(row)}
              onChange={(event) => pick(row.id, event.currentTarget.checked)}
            />
            <FieldStateTags field={row} />
          </li>
        ))}
      </ul>
      {way === "ready" ? <LeftOut drafts={drafts} onTake={() => onChange("all")} /> : null}
    </Radio.Group>
  );
}

/** Names the drafts that would stay behind because nobody marked them as ready. */
function LeftOut({ drafts, onTake }: { drafts: readonly FieldPipelineRow[]; onTake: () => void }) {
  const { t } = useWords("sync");
  const names = drafts.filter((row) => !isReady(row)).map(({ displayName }) => displayName);
  if (names.length === 0) return null;
  return (
    <ErrorBox
      tone="warn"
      message={t("fieldPipeline.leftOut", { count: names.length, names: names.join(", ") })}
      actions={
        <Button size="compact-sm" variant="default" onClick={onTake}>
          {t("fieldPipeline.takeLeftOut")}
        </Button>
      }
    />
  );
}
