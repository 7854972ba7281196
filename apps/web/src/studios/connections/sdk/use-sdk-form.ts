/** An uploaded synapse as it is named and its files are chosen: made, renamed, its files replaced. */
import { createSdkSynapse, saveSdkSynapse, updateSdkSynapseDraft } from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import { useNavigate } from "@tanstack/react-router";
import { useState, type RefObject } from "react";
import { ApiError, isStale, isWrongState } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { toast } from "../../../shared/toast.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { refreshAfterRefusal, SDK_READS, usePackageIndex } from "./sdk-queries.ts";
import { FILE_SLOTS, metaNameFrom, type FileSlot } from "./sdk-synapse.model.ts";
import { useChosenFiles, type ChosenFiles } from "./use-chosen-files.ts";

export type SdkForm = ReturnType<typeof useSdkForm>;

interface Stored {
  synapse: SdkSynapse;
  draft: SdkSynapseVersion | null;
}

interface Typed {
  displayName?: string;
  name?: string;
}

/** A renaming counts the version of the synapse up. */
export type OnRenamed = (from: number, to: number) => void;

export function useSdkForm(
  stored: Stored | undefined,
  inputs: RefObject<HTMLElement | null>,
  onRenamed: OnRenamed | undefined,
) {
  const { t } = useWords("sdkSynapses");
  const leave = useNavigate();
  const index = usePackageIndex();
  const [typed, setTyped] = useState<Typed>({});
  const chosen = useChosenFiles();
  const { files, hasFiles } = chosen;
  const [showAll, setShowAll] = useState(false);
  const options = { refreshes: [...SDK_READS] };
  const create = useCall(createSdkSynapse, options);
  const rename = useCall(saveSdkSynapse, options);
  const replace = useCall(updateSdkSynapseDraft, options);
  const displayName = typed.displayName ?? stored?.synapse.connectorMetaDisplayName ?? "";
  const name = stored?.synapse.connectorMetaName ?? typed.name ?? metaNameFrom(displayName);
  const isRenamed = stored !== undefined && displayName !== stored.synapse.connectorMetaDisplayName;
  /** There is no draft by now whose files could be replaced. */
  const isHeld = hasFiles && stored !== undefined && stored.draft?.approvalStatus !== "NEW";
  const isChanged = hasFiles || (stored ? isRenamed : typed.displayName !== undefined);
  useUnsavedChanges(isChanged);
  const refused = create.error ?? rename.error ?? replace.error;
  const problems: Record<string, string | undefined> = {
    ...(showAll ? missing({ displayName, name, files, isNew: !stored }, t("form.isRequired")) : {}),
    ...problemsOfRefusal(refused, t("form.nameTaken")),
  };
  const reset = (): void => {
    for (const call of [create, rename, replace]) if (call.error) call.reset();
  };

  const make = async (): Promise<boolean> => {
    const { synapseFile, requirementsFile, iconFile } = files;
    if (displayName.trim() === "" || name === "" || !synapseFile || !requirementsFile) return showProblems();
    const made = await create.mutateAsync({
      body: {
        ...{ connectorMetaName: name, connectorMetaDisplayName: displayName.trim(), publishToGlobal: false },
        ...{ synapseFile, requirementsFile, ...(iconFile && { iconFile }) },
      },
    });
    void leave({
      to: "/synapses/custom-synapses/$synapseType/$synapseId",
      params: { synapseType: "sdk", synapseId: made.connectorMetaDefinitionId },
      search: { step: "test" },
      ignoreBlocker: true,
    });
    return true;
  };
  const showProblems = (): false => {
    setShowAll(true);
    focusFirstProblem(inputs.current);
    return false;
  };
  const change = async ({ synapse, draft }: Stored): Promise<boolean> => {
    if (displayName.trim() === "") return showProblems();
    if (isHeld) {
      toast.warning(t("form.held"));
      return false;
    }
    const params = { connectorMetaDefinitionId: synapse.connectorMetaDefinitionId };
    const { version, publishToGlobal } = synapse;
    const body = { version, publishToGlobal, connectorMetaDisplayName: displayName.trim() };
    if (isRenamed) onRenamed?.(version, (await rename.mutateAsync({ params, body })).version);
    if (hasFiles && draft) await replace.mutateAsync({ params, body: { contentHash: draft.contentHash, ...files } });
    setTyped({});
    chosen.dropAll();
    return true;
  };
  return {
    displayName,
    name,
    files,
    hasFiles,
    isHeld,
    isChanged,
    problems,
    refusedFiles: chosen.refusedFiles,
    replacedFiles: chosen.replacedFiles,
    refused,
    isBusy: create.isPending || rename.isPending || replace.isPending,
    index: index.data,
    rename(displayNameNow: string) {
      reset();
      setTyped((old) => ({ ...old, displayName: displayNameNow }));
    },
    setName(nameNow: string) {
      reset();
      setTyped((old) => ({ ...old, name: nameNow }));
    },
    /** Takes what can be a file of a synapse, and says of the others why not. */
    choose(given: Iterable<File>) {
      reset();
      chosen.choose(given);
    },
    drop(slot: FileSlot) {
      reset();
      chosen.drop(slot);
    },
    dropFiles() {
      reset();
      chosen.dropAll();
    },
    /** Takes back what is not stored. */
    discard() {
      reset();
      setTyped({});
      setShowAll(false);
      chosen.dropAll();
    },
    /** Whether what is typed and chosen is stored now. */
    async save(): Promise<boolean> {
      if (!stored) return make();
      if (!isChanged) return true;
      try {
        return await change(stored);
      } catch (error) {
        if (isStale(error)) toast.warning(t("review.stale"));
        else if (!isWrongState(error)) focusFirstProblem(inputs.current);
        await refreshAfterRefusal(error);
        throw error;
      }
    },
  };
}

function missing(
  { displayName, name, files, isNew }: { displayName: string; name: string; files: ChosenFiles; isNew: boolean },
  isRequired: string,
): Record<string, string> {
  const isMissing: Record<string, boolean> = {
    connectorMetaDisplayName: displayName.trim() === "",
    connectorMetaName: name === "",
    synapseFile: isNew && !files.synapseFile,
    requirementsFile: isNew && !files.requirementsFile,
  };
  return Object.fromEntries(Object.entries(isMissing).flatMap(([path, is]) => (is ? [[path, isRequired]] : [])));
}

/** The server's words by input; a name that is taken is one of them. */
function problemsOfRefusal(error: Error | null, nameTaken: string): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  if (error.code === "name_taken") return { connectorMetaName: nameTaken };
  return Object.fromEntries(error.fieldProblems.map(({ path, message }) => [path, message]));
}

/** Whether each problem of a refusal stands beside its input. */
export const isShownInPlace = (error: Error): boolean => {
  const shown = new Set<string>(["connectorMetaName", "connectorMetaDisplayName", ...FILE_SLOTS]);
  return (
    error instanceof ApiError &&
    (error.code === "name_taken" ||
      (error.fieldProblems.length > 0 && error.fieldProblems.every(({ path }) => shown.has(path))))
  );
};
