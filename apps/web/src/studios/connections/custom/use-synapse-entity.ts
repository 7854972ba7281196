/** An entity of an HTTP synapse as it is typed, saved in the draft and deleted from it; never over a newer one. */
import type { SynapseEntity } from "@accord/contracts/connections/http-synapse-definition";
import { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import {
  createSynapseEntity,
  deleteSynapseEntity,
  updateSynapseEntity,
} from "@accord/contracts/connections/http-synapse-entities";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { useNavigate } from "@tanstack/react-router";
import { useState, type RefObject } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { toast } from "../../../shared/toast.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { apiNameFrom, draftProblems, NEW_ENTITY, shownPartOf, type EntityDraft } from "../http-entity.model.ts";
import { SYNAPSE_READS } from "./synapse-queries.ts";

export type EntityWork = ReturnType<typeof useSynapseEntityForm>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Paths that the step shows, which is called basic settings. */
const isBasic = (path: string): boolean => /^(displayName|apiName|list\.(method|path|recordSelector))$/.test(path);

export function useSynapseEntityForm(
  synapse: HttpSynapse,
  entity: SynapseEntity | undefined,
  inputs: RefObject<HTMLElement | null>,
) {
  const { t } = useWords("customSynapses");
  const leave = useNavigate();
  const saved: EntityDraft = entity?.config ?? NEW_ENTITY;
  const [base, setBase] = useState({ entity, saved });
  const [draft, setDraft] = useState<EntityDraft>(saved);
  // What somebody else saved meanwhile is shown while nothing is typed here; what is typed stays, and is refused as older.
  if (entity?.revision !== base.entity?.revision && isSame(draft, base.saved)) {
    setBase({ entity, saved });
    setDraft(saved);
  }
  const [shows, setShows] = useState<"nothing" | "basic" | "all">("nothing");
  useUnsavedChanges(!isSame(draft, base.saved));
  const options = { refreshes: [...SYNAPSE_READS] };
  const create = useCall(createSynapseEntity, options);
  const update = useCall(updateSynapseEntity, options);
  const remove = useCall(deleteSynapseEntity, options);
  const refused = create.error ?? update.error;
  const others = synapse.entities.flatMap(({ apiName, entityId }) =>
    entityId === base.entity?.entityId ? [] : [apiName],
  );
  const problems = draftProblems(shownPartOf(draft), others);
  const ofServer =
    refused instanceof ApiError
      ? Object.fromEntries(refused.fieldProblems.map(({ path, message }) => [path.replace(/^config\./, ""), message]))
      : {};
  const local = Object.fromEntries(
    Object.entries(problems).filter(([path]) => shows === "all" || (shows === "basic" && isBasic(path))),
  );
  const shown: Record<string, string> = { ...local, ...ofServer };
  const params = { metadataId: synapse.id };
  const back = (): void =>
    void leave({
      to: "/synapses/custom-synapses/http/$synapseId/entities/$version",
      params: { synapseId: synapse.id, version: String(synapse.draftVersion ?? synapse.version) },
      ignoreBlocker: true,
    });
  return {
    draft,
    isNew: base.entity === undefined,
    isBusy: create.isPending || update.isPending,
    refused,
    shown,
    problemOf: (path: string) => shown[path],
    setDraft(next: EntityDraft) {
      for (const call of [create, update]) if (call.error) call.reset();
      setDraft(next);
    },
    rename(displayName: string) {
      const isOwnName = base.entity !== undefined || draft.apiName !== apiNameFrom(draft.displayName);
      setDraft({ ...draft, displayName, apiName: isOwnName ? draft.apiName : apiNameFrom(displayName) });
    },
    /** Whether the inputs up to a step are right; shows what is not. */
    passes(step: "basic" | "all"): boolean {
      setShows(step);
      const isRight = !Object.keys(problems).some((path) => step === "all" || isBasic(path));
      if (!isRight) focusFirstProblem(inputs.current);
      return isRight;
    },
    async save(): Promise<void> {
      const config = HttpEntityConfig.parse(shownPartOf(draft));
      if (base.entity) {
        const { entityId, revision } = base.entity;
        await update.mutateAsync({ params: { ...params, entityId }, body: { revision, config } });
      } else await create.mutateAsync({ params, body: { config } });
      toast.success(t("entity.saved", { name: config.displayName }));
      back();
    },
    async remove(): Promise<void> {
      if (!base.entity) return;
      const { entityId, revision } = base.entity;
      await remove.mutateAsync({ params: { ...params, entityId }, query: { revision } });
      toast.success(t("entity.deleted", { name: draft.displayName }));
      back();
    },
  };
}
