/** Why the external product gives no access, in its own words where it has some; it can be tried again. */
import { getInsightsProvider } from "@accord/contracts/insights/external-view";
import { useEffect } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { refresh } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { QueryError } from "../../../shared/query-view.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

const SWITCHED_OFF: ReadonlySet<string> = new Set(["feature_disabled", "external_view_off"]);

export function AccessProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useWords("insights");
  const isOff = error instanceof ApiError && SWITCHED_OFF.has(error.code);
  useEffect(() => {
    // What is around it then shows that there is no such page any more.
    if (isOff) void refresh(getInsightsProvider);
  }, [isOff]);
  if (error instanceof ApiError && (error.status === 404 || error.code === "forbidden"))
    return <QueryError error={error} />;
  return <RefusalBox title={t("external.accessTitle")} error={error} onRetry={onRetry} />;
}
