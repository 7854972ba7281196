/** Where the cause of a run's problem is fixed: the connection of its system, and its schema where that is out of date. */
import { refreshConnectorSchema } from "@accord/contracts/connections/connectors";
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCall } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import "./problem-fix.css";

/** A table or field that is gone: what is known of the system's schema is older than the system. */
const SCHEMA_CODES: ReadonlySet<string> = new Set(["schemaChanged", "field_missing"]);

/** Failures of a system as connectors classify them, for which its connection is the place to look. */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  ...SCHEMA_CODES,
  "authentication",
  "permission",
  "notFound",
  "rateLimited",
  "unreachable",
  "timeout",
  "certificate",
  "unavailable",
  "configuration",
  "invalidRequest",
  "outboundRefused",
  "unreadable",
]);

interface Props {
  problem: Pick<RunProblem, "code">;
  /** Of the node at which it happened; undefined where none is known. */
  connectorId: string | undefined;
}

export function ProblemFix({ problem: { code }, connectorId }: Props) {
  const { t } = useWords("sync");
  const mayRead = useCan("READ_CONNECTOR");
  const mayWrite = useCan("WRITE_CONNECTOR");
  if (!connectorId || !mayRead || !CONNECTION_CODES.has(code)) return null;
  return (
    <span className="ac-problem-fix">
      <Link to="/synapses/connections/$connectorId" params={{ connectorId }}>
        {t("quarantine.fix_connector")}
      </Link>
      {mayWrite && SCHEMA_CODES.has(code) ? <RefreshSchema connectorId={connectorId} /> : null}
    </span>
  );
}

function RefreshSchema({ connectorId }: { connectorId: string }) {
  const { t } = useWords("sync", "connections");
  const refresh = useCall(refreshConnectorSchema, {
    onSuccess: ({ name }) => toast.success(t("quarantine.schemaRefreshing", { name })),
    onError: (error: unknown) => toast.failed(error),
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={refresh.isPending}
      onClick={() => refresh.mutate({ params: { connectorId }, body: {} })}
    >
      {t("connections:action.refreshSchema")}
    </Button>
  );
}
