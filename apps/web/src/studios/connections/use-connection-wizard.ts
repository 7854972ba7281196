/** Making a connection in steps: what is typed, tried and created; secrets live in the page only, never in the address. */
import {
  activateConnector,
  createConnector,
  testConnection,
  type ConnectorType,
} from "@accord/contracts/connections/connectors";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type RefObject, useState } from "react";
import { ApiError } from "../../app/api-error.ts";
import { refresh, useCall } from "../../app/queries.ts";
import { useWords } from "../../app/words.ts";
import { initialValues } from "../../shared/config-form/config-form.model.ts";
import { focusFirstProblem } from "../../shared/first-problem.ts";
import { toast } from "../../shared/toast.tsx";
import { useIsChanged, useUnsavedChanges } from "../../shared/unsaved-changes/unsaved-changes.tsx";
import { sentConnection, type ConnectionForm } from "./connections.model.ts";
import { newRedirectName, signInPlace } from "./oauth/granted.model.ts";
import { openSignIn } from "./oauth/open-sign-in.ts";
import { CONNECTOR_READS, type ConnectorId } from "./queries.ts";

const route = getRouteApi("/signed-in/synapses/connections/new");

export type Wizard = ReturnType<typeof useWizard>;

export function useWizard(type: ConnectorType, inputs: RefObject<HTMLDivElement | null>) {
  const { step = "connection" } = route.useSearch();
  const navigate = route.useNavigate();
  const leave = useNavigate();
  const { t } = useWords("systemSignIn");
  const [form, setForm] = useState<ConnectionForm>(() => ({
    name: type.displayName,
    config: initialValues(type.configFields, {}),
    authType: type.authMethods[0]?.type ?? "none",
    credentials: {},
  }));
  // The app at the system is given the address before the synapse is there.
  const [oauthRedirectName] = useState(newRedirectName);
  useUnsavedChanges(useIsChanged(form));
  const [errors, setErrors] = useState(0);
  const [showAll, setShowAll] = useState(false);
  const test = useCall(testConnection);
  const activate = useCall(activateConnector, { refreshes: [...CONNECTOR_READS] });
  const create = useCall(createConnector, { refreshes: [...CONNECTOR_READS] });
  const refused = create.error ?? test.error;
  const isHttp = type.id === "http";
  // What is uploaded comes after the synapse that it is uploaded for, and there is nothing to sign in to.
  const isForUploads = type.id === "files" && form.config["place"] === "uploaded";
  // Whoever signs in at the system does so once the synapse is there.
  const signsInAt = form.authType === "oauth" ? (signInPlace(type, form.config) ?? "…") : null;
  const openSettings = (connectorId: ConnectorId) =>
    leave({
      to: "/synapses/connections/$connectorId",
      params: { connectorId },
      search: { tab: "settings" },
      ignoreBlocker: true,
    });
  const newConnector = () => ({ name: form.name.trim(), oauthRedirectName, ...sentConnection(type, form) });
  const createAndSignIn = async (opening: string): Promise<void> => {
    const created: { id?: ConnectorId } = {};
    const prepare = async (): Promise<ConnectorId> => {
      const made = await create.mutateAsync({ body: newConnector() });
      created.id = made.connectorId;
      await openSettings(made.connectorId);
      return made.connectorId;
    };
    await openSignIn(prepare, opening).catch((error: unknown) => {
      // Of what could not be created the form says why.
      if (created.id) toast.failed(error);
    });
    void refresh(...CONNECTOR_READS);
  };
  const go = (to: string) =>
    void navigate({ search: to === "connection" || to === "signIn" ? { type: type.id, step: to } : {} });
  const showProblems = () => {
    setShowAll(true);
    focusFirstProblem(inputs.current);
  };
  return {
    form,
    oauthRedirectName,
    showAll,
    setErrors,
    test,
    refused,
    problems: refused instanceof ApiError ? refused.fieldProblems : [],
    isHttp,
    signsInAt,
    isForUploads,
    isFirst: step !== "signIn",
    isBusy: create.isPending || activate.isPending,
    go,
    change(part: Partial<ConnectionForm>) {
      setForm((old) => ({ ...old, ...part }));
      test.reset();
      create.reset();
    },
    tryIt: () => (errors > 0 ? showProblems() : test.mutate({ body: sentConnection(type, form) })),
    async submit() {
      if (errors > 0 || form.name.trim() === "") return showProblems();
      setShowAll(false);
      if (step === "connection" && !isForUploads) return go("signIn");
      if (signsInAt) return createAndSignIn(t("opening"));
      const made = await create.mutateAsync({ body: newConnector() });
      // An API has nothing to read before its first entity is described.
      if (isHttp)
        return void leave({
          to: "/synapses/connections/$connectorId/http-entity",
          params: { connectorId: made.id },
          ignoreBlocker: true,
        });
      if (isForUploads)
        return void leave({
          to: "/synapses/connections/$connectorId",
          params: { connectorId: made.id },
          search: { tab: "files" },
          ignoreBlocker: true,
        });
      await activate.mutateAsync({ params: { connectorId: made.connectorId } });
      void navigate({ search: { type: type.id, step: "activate", id: made.id }, replace: true });
    },
  };
}
