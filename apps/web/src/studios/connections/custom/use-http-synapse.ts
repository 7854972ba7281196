/** The draft of an HTTP synapse as it is typed, made, saved and published; never over a newer one. */
import {
  createHttpSynapse,
  publishSynapseDraft,
  setSynapseIcon,
  updateSynapseDraft,
  type HttpSynapse,
} from "@accord/contracts/connections/http-synapses";
import { useNavigate } from "@tanstack/react-router";
import { useState, type RefObject } from "react";
import { ApiError, isStale } from "../../../app/api-error.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { toast } from "../../../shared/toast.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { SYNAPSE_READS } from "./synapse-queries.ts";
import {
  credentialsOf,
  formOf,
  NEW_SYNAPSE,
  settingsOf,
  settingsProblems,
  synapseNameFrom,
  valuesOf,
  type SynapseForm,
} from "./synapse-form.model.ts";

export const SYNAPSE_STEPS = ["configure", "test", "review"] as const;
export type SynapseStep = (typeof SYNAPSE_STEPS)[number];

export type SynapseWork = ReturnType<typeof useHttpSynapseForm>;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export function useHttpSynapseForm(
  synapse: HttpSynapse | undefined,
  { step, go, inputs }: { step: SynapseStep; go: (step: SynapseStep) => void; inputs: RefObject<HTMLElement | null> },
) {
  const { t } = useWords("customSynapses");
  const leave = useNavigate();
  const [base, setBase] = useState(synapse);
  const saved = base ? formOf(base) : NEW_SYNAPSE;
  const [form, setForm] = useState(saved);
  const [icon, setIcon] = useState<File | null>(null);
  const [showAll, setShowAll] = useState(false);
  const isChanged = !isSame(form, saved) || icon !== null;
  useUnsavedChanges(isChanged);
  const options = { refreshes: [...SYNAPSE_READS] };
  const create = useCall(createHttpSynapse, options);
  const update = useCall(updateSynapseDraft, options);
  const putIcon = useCall(setSynapseIcon, options);
  const publish = useCall(publishSynapseDraft, options);
  const refused = create.error ?? update.error ?? putIcon.error ?? publish.error;
  const { settings, problems = {} } = settingsOf(form);
  const isNewer = base !== undefined && synapse !== undefined && synapse.revision > base.revision && !update.isPending;
  const begin = (next: HttpSynapse): void => {
    setBase(next);
    setForm(formOf(next));
    setIcon(null);
  };
  if (isNewer && !isChanged) begin(synapse);

  const showProblems = (): null => {
    setShowAll(true);
    focusFirstProblem(inputs.current);
    return null;
  };
  const make = async (): Promise<HttpSynapse | null> => {
    if (!settings) return showProblems();
    const { headers, variables, authConfig, body, ...parts } = settings;
    const made = await create.mutateAsync({
      body: {
        ...parts,
        timeoutSeconds: parts.timeoutSeconds,
        name: form.name,
        ...(body.trim() !== "" && { body }),
        headers: JSON.stringify(headers),
        variables: JSON.stringify(variables),
        authConfig: JSON.stringify(authConfig),
        ...(icon && { iconFile: icon }),
      },
    });
    begin(made);
    void leave({
      to: "/synapses/custom-synapses/$synapseType/$synapseId",
      params: { synapseType: "http", synapseId: made.id },
      search: { step: "test" },
      ignoreBlocker: true,
    });
    return made;
  };
  /** What is stored now, with all that is typed; null while that can't be. */
  const save = async (): Promise<HttpSynapse | null> => {
    if (!base) return make();
    if (!isChanged) return base;
    if (!settings) return showProblems();
    const params = { metadataId: base.id };
    try {
      let stored = await update.mutateAsync({
        params,
        body: { revision: base.revision, settings, variableValues: valuesOf(form), credentials: credentialsOf(form) },
      });
      if (icon) stored = await putIcon.mutateAsync({ params, body: { iconFile: icon } });
      begin(stored);
      return stored;
    } catch (error) {
      if (isStale(error)) await refresh(...SYNAPSE_READS);
      else focusFirstProblem(inputs.current);
      throw error;
    }
  };
  const shown = {
    ...(showAll ? problems : {}),
    ...(refused instanceof ApiError ? settingsProblems(refused.fieldProblems) : {}),
  };
  return {
    base,
    form,
    icon,
    setIcon,
    settings,
    isChanged,
    isNewer,
    showAll,
    problems: shown,
    refused,
    isEditable: base === undefined || base.status === "NEW",
    isBusy: create.isPending || update.isPending || putIcon.isPending || publish.isPending,
    load: () => synapse && begin(synapse),
    keep: () => synapse && setBase(synapse),
    change(part: Partial<SynapseForm>) {
      for (const call of [create, update, putIcon, publish]) if (call.error) call.reset();
      setForm((old) => {
        const isNamedAlike = !base && old.name === synapseNameFrom(old.displayName);
        const named = part.displayName !== undefined && isNamedAlike;
        return { ...old, ...part, ...(named && { name: synapseNameFrom(part.displayName ?? "") }) };
      });
    },
    async next() {
      if (base && base.status !== "NEW") return go(step === "configure" ? "test" : "review");
      if (!(await save())) return;
      if (base) go(step === "configure" ? "test" : "review");
    },
    async publish(acceptBreaking: boolean) {
      const stored = base && (await save());
      if (!stored) return;
      try {
        const body = { revision: stored.revision, acceptBreaking };
        await publish.mutateAsync({ params: { metadataId: stored.id }, body });
      } catch (error) {
        // What it is now, and what that changes, is shown before it is published.
        if (isStale(error)) {
          toast.warning(t("newer"));
          await refresh(...SYNAPSE_READS);
        }
        throw error;
      }
      toast.success(t("published", { name: form.displayName }));
    },
  };
}
