/** Health of one source or destination, on its node and in the list. */
import { reasonsAt } from "@accord/sync-engine/lifecycle";
import { StatusTag } from "@accord/ui";
import { useContext } from "react";
import { reasonTone, useReasonText } from "../../../../shared/health.tsx";
import { HealthContext } from "../health-context.ts";

export function NodeHealth({ nodeId }: { nodeId: string }) {
  const textOf = useReasonText();
  const [worst] = reasonsAt(useContext(HealthContext), nodeId);
  if (!worst) return null;
  return (
    <StatusTag tone={reasonTone(worst)} title={String(worst.facts["reason"] ?? "")}>
      {textOf(worst)}
    </StatusTag>
  );
}
