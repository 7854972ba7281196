/** Fields generated from a JSON answer that somebody has: from the API's reference, or from another program. */
import { HttpField } from "@accord/contracts/connections/http-entity";
import { generateSynapseEntitySchema } from "@accord/contracts/connections/http-synapse-entities";
import { Button, Textarea } from "@mantine/core";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { takeProposal, type EntityDraft } from "../http-entity.model.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

interface PasteAnswerProps {
  draft: EntityDraft;
  onDraft: (draft: EntityDraft) => void;
}

export function PasteAnswer({ draft, onDraft }: PasteAnswerProps) {
  const { t } = useWords("customSynapses");
  const [json, setJson] = useState("");
  const generate = useCall(generateSynapseEntitySchema);
  const run = async (): Promise<void> => {
    const recordSelector = draft.list.recordSelector ?? "";
    const found = await generate.mutateAsync({ body: { json, recordSelector } });
    onDraft(takeProposal(draft, HttpField.array().parse(found.fields), found.recordSelector));
  };
  return (
    <details>
      <summary>{t("trial.pasteTitle")}</summary>
      <div className="ac-trial">
        <Textarea
          label={t("trial.pasteLabel")}
          autosize
          minRows={3}
          maxRows={12}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--ac-mono)" } }}
          value={json}
          onChange={(event) => setJson(event.currentTarget.value)}
        />
        <div>
          <Button
            variant="light"
            loading={generate.isPending}
            disabled={json.trim() === ""}
            onClick={() => void run().catch(() => {})}
          >
            {t("trial.paste")}
          </Button>
        </div>
        {generate.error ? <RefusalBox error={generate.error} /> : null}
      </div>
    </details>
  );
}
