/** What can be done with one synapse, from its tile, its row and its page alike, with the dialogs that belong to it. */
import {
  activateConnector,
  authenticateConnector,
  deactivateConnector,
  deleteConnector,
  refreshConnectorSchema,
  testConnector,
  type Connector,
  type ConnectorAction,
} from "@accord/contracts/connections/connectors";
import { type RowAction } from "@accord/ui";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { ApiError } from "../../app/api-error.ts";
import { useCall } from "../../app/queries.ts";
import { useCan } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { toast } from "../../shared/toast.tsx";
import { offeredActions } from "./connections.model.ts";
import { CONNECTOR_READS, invalidateConnector } from "./queries.ts";
import { ConfirmDialog } from "../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../shared/refusal/refusal-box.tsx";

export interface ConnectorActions {
  offered(connector: Connector): ConnectorAction[];
  run(connector: Connector, action: ConnectorAction): void;
  menu(connector: Connector): RowAction[];
  isBusy: boolean;
  /** To be rendered once by the screen. */
  dialogs: ReactNode;
}

type Asked = { deed: "deactivate" | "delete"; connector: Connector };

/** `onDeleted`: where the screen goes then. */
export function useConnectorActions(onDeleted?: () => void): ConnectorActions {
  const { t } = useWords("connections");
  const navigate = useNavigate();
  const [asked, setAsked] = useState<Asked>();
  const rights = { write: useCan("WRITE_CONNECTOR"), test: useCan("TEST_CONNECTION") };
  const options = { refreshes: [...CONNECTOR_READS], onError: (error: unknown) => toast.failed(error) };
  const activate = useCall(activateConnector, options);
  const authenticate = useCall(authenticateConnector, options);
  const refresh = useCall(refreshConnectorSchema, options);
  const test = useCall(testConnector, {
    onSuccess: ({ problem, durationMs }) =>
      problem
        ? toast.error(problem.message, problem.hint ? { description: `${problem.message} ${problem.hint}` } : {})
        : toast.success(t("check.works", { ms: Math.round(durationMs) })),
    onError: (error: unknown) => toast.failed(error),
  });
  const deactivate = useCall(deactivateConnector, { refreshes: [...CONNECTOR_READS] });
  const remove = useCall(deleteConnector, { refreshes: [...CONNECTOR_READS] });

  const run = (connector: Connector, action: ConnectorAction): void => {
    const params = { connectorId: connector.connectorId };
    switch (action) {
      case "activate":
        return activate.mutate({ params });
      case "authenticate":
        return authenticate.mutate({ params });
      case "refreshSchema":
        return refresh.mutate({ params, body: {} });
      case "test":
        return test.mutate({ params });
      case "edit":
      case "editEntities":
        return void navigate({
          to: "/synapses/connections/$connectorId",
          params,
          search: action === "edit" ? { tab: "settings" } : {},
        });
      case "deactivate":
      case "delete":
        return setAsked({ deed: action, connector });
      default:
        return action satisfies never;
    }
  };
  const labelOf = (connector: Connector, action: ConnectorAction): string => {
    if (action === "activate" && connector.status === "ERROR") return t("action.activateAgain");
    return action === "editEntities" ? t("action.open") : t(`action.${action}`);
  };
  const offered = (connector: Connector) => offeredActions(connector, rights);
  return {
    offered,
    run,
    menu: (connector) =>
      offered(connector).map((action) => ({
        label: labelOf(connector, action),
        danger: action === "delete",
        onSelect: () => run(connector, action),
      })),
    isBusy: activate.isPending || authenticate.isPending || refresh.isPending || test.isPending,
    dialogs: asked ? (
      <ConfirmDialog
        opened
        onClose={() => setAsked(undefined)}
        danger={asked.deed === "delete"}
        title={t(asked.deed === "delete" ? "deleteTitle" : "deactivateTitle", { name: asked.connector.name })}
        action={t(asked.deed === "delete" ? "action.delete" : "action.deactivate")}
        showError={(error) => {
          const names = namesOfUses(error);
          return <RefusalBox error={error}>{names === "" ? null : <p>{t("usedBy", { names })}</p>}</RefusalBox>;
        }}
        onConfirm={async () => {
          const params = { connectorId: asked.connector.connectorId };
          if (asked.deed === "deactivate") return deactivate.mutateAsync({ params });
          await remove.mutateAsync({ params });
          invalidateConnector(asked.connector.connectorId);
          toast.success(t("done.deleted", { name: asked.connector.name }));
          onDeleted?.();
        }}
      >
        {t(asked.deed === "delete" ? "deleteBody" : "deactivateBody")}
      </ConfirmDialog>
    ) : null,
  };
}

/** The pipelines that use it, where that is the reason. */
function namesOfUses(error: unknown): string {
  const uses = error instanceof ApiError ? error.details["uses"] : undefined;
  if (!Array.isArray(uses)) return "";
  return uses
    .map((use: unknown) => (typeof use === "object" && use && "name" in use ? String(use.name) : ""))
    .join(", ");
}
