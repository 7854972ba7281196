/** Tests of the pipeline: saved ones run on given records, and live runs on real ones; both show what each node did. */
import { SidePanel } from "@accord/ui";
import { SegmentedControl } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { LiveTests } from "./live-tests.tsx";
import { SimulatedTests } from "./simulated-tests.tsx";
import type { TestsProps } from "./tests-props.ts";
import "./tests-panel.css";

export function TestsPanel({ onClose, ...props }: TestsProps & { onClose: () => void }) {
  const { t } = useWords("sync");
  const [kind, setKind] = useState("simulated");
  // Live runs are of the entity pipeline, with the field pipelines that go along.
  const isOfField = useFieldScope() !== null;
  return (
    <SidePanel
      title={t("tests.title")}
      subtitle={t("tests.lead")}
      width={420}
      onClose={onClose}
      takeFocus
      bar={
        isOfField ? null : (
          <SegmentedControl
            aria-label={t("tests.kind")}
            fullWidth
            my={8}
            data={[
              { value: "simulated", label: t("tests.simulated") },
              { value: "live", label: t("tests.live") },
            ]}
            value={kind}
            onChange={setKind}
          />
        )
      }
    >
      {kind === "live" ? <LiveTests {...props} /> : <SimulatedTests {...props} />}
    </SidePanel>
  );
}
