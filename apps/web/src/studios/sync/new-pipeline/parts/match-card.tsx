/** What happens with a record that the core may know already: attached by equal values, or always created. */
import { Card } from "@accord/ui";
import { Checkbox, Radio } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import type { Choices, Proposal } from "../proposal.model.ts";

interface Props {
  proposal: Proposal;
  choices: Choices;
  onChange: (part: Partial<Choices>) => void;
}

export function MatchCard({ proposal: { matchable, matchOn }, choices, onChange }: Props) {
  const { t } = useWords("sync");
  // With the fields shown and none chosen yet, nothing is compared.
  const [isOpen, setOpen] = useState(false);
  const compares = isOpen || matchOn.length > 0;
  const isProposed = choices.matchOn === undefined;
  return (
    <Card title={t("newPipeline.match")}>
      <p className="ac-new-pipeline__hint">
        {t("newPipeline.matchHint")}{" "}
        {isProposed ? t(matchOn.length > 0 ? "newPipeline.matchProposed" : "newPipeline.matchNotProposed") : null}
      </p>
      <Radio.Group
        aria-label={t("newPipeline.match")}
        value={compares ? "match" : "create"}
        onChange={(value) => {
          setOpen(value === "match");
          onChange({ matchOn: value === "match" ? undefined : [] });
        }}
      >
        <div className="ac-new-pipeline__options">
          <Radio
            value="match"
            label={t("newPipeline.matchOn")}
            description={matchable.length === 0 ? t("newPipeline.matchNoField") : undefined}
            disabled={matchable.length === 0}
          />
          <Radio value="create" label={t("newPipeline.matchNever")} />
        </div>
      </Radio.Group>
      {compares ? (
        <Checkbox.Group
          label={t("newPipeline.matchFields")}
          description={t("newPipeline.matchAny")}
          value={[...matchOn]}
          error={matchOn.length === 0 ? t("newPipeline.matchNeeded") : undefined}
          onChange={(fields) => {
            setOpen(true);
            onChange({ matchOn: fields });
          }}
        >
          <div className="ac-new-pipeline__checks">
            {matchable.map(({ apiName, displayName }) => (
              <Checkbox key={apiName} value={apiName} label={displayName || apiName} />
            ))}
          </div>
        </Checkbox.Group>
      ) : null}
    </Card>
  );
}
