/** Takes a record as JSON, and says which of its fields can't be used and why. */
import { Button, Textarea, TextInput } from "@mantine/core";
import type { RecordToTry } from "@accord/contracts/sync/tests/try-record";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { type PasteProblem, readPasted } from "./try.model.ts";

interface Props {
  /** What the form begins with. */
  begun: { externalId: string; text: string } | undefined;
  onChoose: (record: RecordToTry, name: string) => void;
}

const FIRST_ID = "new";

export function RecordPaste({ begun, onChoose }: Props) {
  const { t } = useWords("sync");
  const [externalId, setExternalId] = useState(begun?.externalId ?? FIRST_ID);
  const [text, setText] = useState(begun?.text ?? "{\n}");
  const [problem, setProblem] = useState<PasteProblem>();
  const submit = (): void => {
    const pasted = readPasted(text);
    if ("problem" in pasted) return setProblem(pasted.problem);
    const id = externalId.trim() || FIRST_ID;
    onChoose({ kind: "values", externalId: id, values: pasted.values }, t("try.pasted", { id }));
  };
  return (
    <form
      className="ac-try__choose"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Textarea
        className="ac-tests__json"
        label={t("try.values")}
        value={text}
        autosize
        minRows={6}
        maxRows={18}
        spellCheck={false}
        error={problem && textOfProblem(problem, t)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <TextInput
        label={t("try.id")}
        description={t("try.idHint")}
        value={externalId}
        maxLength={200}
        onChange={(event) => setExternalId(event.currentTarget.value)}
      />
      <Button type="submit">{t("try.submit")}</Button>
    </form>
  );
}

function textOfProblem(problem: PasteProblem, t: ReturnType<typeof useWords<"sync">>["t"]): string {
  if (problem.kind === "notJson") return t("try.notJson", { reason: problem.reason });
  return problem.kind === "notObject" ? t("try.notObject") : t("try.badValue", problem);
}
