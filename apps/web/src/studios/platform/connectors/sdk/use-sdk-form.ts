/** An uploaded synapse as it is named and its files are chosen: made, renamed, its files replaced. */
import { createSdkSynapse, saveSdkSynapse, updateSdkSynapseDraft } from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import { useNavigate } from "@tanstack/react-router";
import { useState, type RefObject } from "react";
import { ApiError, isStale } from "../../../../app/api-error.ts";
import { refresh, useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { sizeOf } from "../../../../shared/byte-size.ts";
import { focusFirstProblem } from "../../../../shared/first-problem.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useUnsavedChanges } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { SDK_READS, usePackageIndex } from "./sdk-queries.ts";
import { FILE_SLOTS, fileProblem, metaNameFrom, slotOf, type FileSlot } from "./sdk-synapse.model.ts";

export type SdkForm = ReturnType<typeof useSdkForm>;
export type ChosenFiles = Partial<Record<FileSlot, File>>;

interface Stored {
  synapse: SdkSynapse;
  draft: SdkSynapseVersion | null;
}

interface Typed {
  displayName?: string;
  name?: string;
}

export function useSdkForm(stored: Stored | undefined, inputs: RefObject<HTMLElement | null>) {
  const { t } = useWords("sdkSynapses");
  const leave = useNavigate();
  const index = usePackageIndex();
  const [typed, setTyped] = useState<Typed>({});
  const [files, setFiles] = useState<ChosenFiles>({});
  const [refusedFiles, setRefusedFiles] = useState<string[]>([]);
  const [showAll, setShowAll] = useState(false);
  const options = { refreshes: [...SDK_READS] };
  const create = useCall(createSdkSynapse, options);
  const rename = useCall(saveSdkSynapse, options);
  const replace = useCall(updateSdkSynapseDraft, options);
  const displayName = typed.displayName ?? stored?.synapse.connectorMetaDisplayName ?? "";
  const name = stored?.synapse.connectorMetaName ?? typed.name ?? metaNameFrom(displayName);
  const isRenamed = stored !== undefined && displayName !== stored.synapse.connectorMetaDisplayName;
  const hasFiles = Object.keys(files).length > 0;
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
    const params = { connectorMetaDefinitionId: synapse.connectorMetaDefinitionId };
    const { version, publishToGlobal } = synapse;
    const body = { version, publishToGlobal, connectorMetaDisplayName: displayName.trim() };
    if (isRenamed) await rename.mutateAsync({ params, body });
    if (hasFiles && draft) await replace.mutateAsync({ params, body: { contentHash: draft.contentHash, ...files } });
    setTyped({});
    setFiles({});
    return true;
  };
  return {
    displayName,
    name,
    files,
    isChanged,
    problems,
    refusedFiles,
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
      const taken: ChosenFiles = {};
      const not: string[] = [];
      for (const file of given) {
        const slot = slotOf(file.name);
        const problem = fileProblem(file, index.data?.limits);
        const limit = slot ? sizeOf(index.data?.limits[slot] ?? 0) : "";
        if (problem) not.push(t(`form.${problem}`, { name: file.name, size: sizeOf(file.size), limit }));
        else if (slot) taken[slot] = file;
      }
      setRefusedFiles(not);
      setFiles((old) => ({ ...old, ...taken }));
    },
    drop(slot: FileSlot) {
      reset();
      setFiles(({ [slot]: _, ...others }) => others);
    },
    /** Whether what is typed and chosen is stored now. */
    async save(): Promise<boolean> {
      if (!stored) return make();
      if (!isChanged) return true;
      try {
        return await change(stored);
      } catch (error) {
        if (isStale(error)) {
          toast.warning(t("review.stale"));
          await refresh(...SDK_READS);
        } else focusFirstProblem(inputs.current);
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
