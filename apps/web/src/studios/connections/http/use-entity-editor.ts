/** The description of an entity being edited, and how it is stored among the connection's others: never over a newer one. */
import {
  activateConnector,
  getConnector,
  isConnectorActionAllowed,
  updateConnector,
  type ConnectorDetail,
} from "@accord/contracts/connections/connectors";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState, type RefObject } from "react";
import { ApiError, isStale } from "../../../app/api-error.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { toast } from "../../../shared/toast.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import {
  apiNameFrom,
  draftProblems,
  entitiesOf,
  NEW_ENTITY,
  shownPartOf,
  withEntity,
  withoutEntity,
  type EntityDraft,
} from "../http-entity.model.ts";
import { CONNECTOR_READS } from "../queries.ts";
import { isShown, problemsWithin, type Problems } from "./entity-problems.ts";

/** What the draft was made from: what is submitted counts only where that is still what is stored. */
interface Base {
  version: number;
  config: ConnectorDetail["config"];
  saved: EntityDraft | undefined;
}

const baseOf = ({ version, config }: ConnectorDetail, name: string | undefined): Base => ({
  version,
  config,
  saved: entitiesOf(config).find(({ apiName }) => apiName === name),
});

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const hasInputs = (error: Error | null): boolean => error instanceof ApiError && error.fieldProblems.length > 0;

/** The server's complaints, by path within the entity. */
function refusedInputs(error: Error | null, config: Base["config"], name: string | undefined): Problems {
  if (!(error instanceof ApiError)) return {};
  const entities = entitiesOf(config);
  const at = entities.findIndex(({ apiName }) => apiName === name);
  return problemsWithin(error.fieldProblems, at < 0 ? entities.length : at);
}

/** The first entity makes a new connection complete. One that somebody took out of use stays so. */
const isNotInUseYet = ({ status }: ConnectorDetail): boolean =>
  status === "NEW" || status === "AUTHENTICATED" || status === "ERROR";

export type EntityEditor = ReturnType<typeof useEntityEditor>;

export function useEntityEditor(
  connector: ConnectorDetail,
  name: string | undefined,
  inputs: RefObject<HTMLDivElement | null>,
) {
  const { t } = useWords("connections");
  const [base, setBase] = useState(() => baseOf(connector, name));
  const { saved } = base;
  const [draft, setDraft] = useState<EntityDraft>(saved ?? NEW_ENTITY);
  /** How often the form began anew. */
  const [round, setRound] = useState(0);
  const isChanged = !isSame(draft, saved ?? NEW_ENTITY);
  useUnsavedChanges(isChanged);
  const [showAll, setShowAll] = useState(false);
  const others = entitiesOf(base.config).flatMap(({ apiName }) => (apiName === saved?.apiName ? [] : [apiName]));
  const problems = draftProblems(shownPartOf(draft), others);
  const calls = useStoring(connector, base, ({ version, config }, entity) => {
    setBase({ version, config, saved: entity });
  });

  /** How often something was wrong when it was to be saved. */
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (tries > 0) focusFirstProblem(inputs.current);
  }, [tries, inputs]);
  useEffect(() => {
    if (calls.refused) focusFirstProblem(inputs.current);
  }, [calls.refused, inputs]);
  const change = (next: EntityDraft): void => {
    // What the server said was about what was sent.
    if (calls.refused) calls.reset();
    setDraft(next);
  };

  const now = baseOf(connector, saved?.apiName);
  const load = (): void => {
    setBase(now);
    setDraft(now.saved ?? NEW_ENTITY);
    setShowAll(false);
    setRound(round + 1);
    calls.reset();
  };
  const isNewer = !calls.isBusy && now.version > base.version;
  const isDeleted = saved !== undefined && now.saved === undefined;
  if (isNewer && isSame(now.config, base.config)) setBase({ ...base, version: now.version });
  else if (isNewer && !isChanged && !isDeleted) load();

  const shown: Problems = {
    ...refusedInputs(calls.refused, base.config, saved?.apiName),
    ...(showAll ? problems : {}),
  };
  return {
    ...{ draft, saved, round, back: calls.back, isBusy: calls.isBusy, load },
    setDraft: change,
    /** What is not about single inputs. */
    refused: hasInputs(calls.refused) || (isNewer && isStale(calls.refused)) ? null : calls.refused,
    /** What somebody else did to the description since it was opened here. */
    newer: isNewer ? (isDeleted ? ("deleted" as const) : ("changed" as const)) : null,
    /** What is typed replaces what is stored now once it is saved. */
    keep() {
      setBase(now);
      calls.reset();
    },
    mayEdit: isConnectorActionAllowed(connector, "edit"),
    problemOf: (path: string) => shown[path],
    /** Complaints that no input shows. */
    otherProblems: Object.entries(shown).filter(([path]) => !isShown(draft, path)),
    rename(displayName: string) {
      const isOwnName = saved !== undefined || draft.apiName !== apiNameFrom(draft.displayName);
      change({ ...draft, displayName, apiName: isOwnName ? draft.apiName : apiNameFrom(displayName) });
    },
    save() {
      setShowAll(true);
      if (Object.keys(problems).length > 0) return setTries(tries + 1);
      const said = t("http.saved", { name: draft.displayName });
      void calls.store(withEntity(base.config, shownPartOf(draft), saved?.apiName), said, draft);
    },
    remove() {
      if (saved) void calls.store(withoutEntity(base.config, saved.apiName), t("done.saved"), undefined);
    },
  };
}

type OnStored = (connector: ConnectorDetail, entity: EntityDraft | undefined) => void;

/** Stores the configuration made from the version that was opened. */
function useStoring(connector: ConnectorDetail, base: Base, onStored: OnStored) {
  const leave = useNavigate();
  const update = useCall(updateConnector, { refreshes: [...CONNECTOR_READS] });
  const activate = useCall(activateConnector, { refreshes: [...CONNECTOR_READS], onError: (e) => toast.failed(e) });
  const [isStoring, setStoring] = useState(false);
  const params = { connectorId: connector.connectorId };
  const back = (ignoreBlocker = false) =>
    void leave({ to: "/synapses/connections/$connectorId", params, ignoreBlocker });
  const run = async (config: ConnectorDetail["config"], said: string, entity?: EntityDraft): Promise<void> => {
    // Whatever becomes of the activation, it is stored, and what is saved next takes its place.
    onStored(await update.mutateAsync({ params, body: { version: base.version, config } }), entity);
    toast.success(said);
    if (entity && isNotInUseYet(connector)) await activate.mutateAsync({ params });
    back(true);
  };
  return {
    back,
    refused: update.error,
    reset: () => update.reset(),
    isBusy: isStoring,
    async store(config: ConnectorDetail["config"], said: string, entity?: EntityDraft): Promise<void> {
      setStoring(true);
      try {
        await run(config, said, entity);
      } catch (error) {
        // What somebody else stored in the same moment is read, and shown beside the form.
        if (isStale(error)) await refresh(getConnector);
      } finally {
        setStoring(false);
      }
    },
  };
}
