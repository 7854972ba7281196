/** What all steps of an uploaded synapse share: what is stored, what is typed, and what its program says of itself. */
import type { ReplyOf } from "@accord/contracts";
import type { getSdkSynapseDraft } from "@accord/contracts/connections/sdk-synapses";
import type { ConnectorProblem } from "@accord/contracts/connections/connectors";
import type { SdkSynapse, SdkSynapseFile, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { useState, type RefObject } from "react";
import { useCan } from "../../../app/session.ts";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { asSdkSynapseId, useDescribed } from "./sdk-queries.ts";
import { useSdkForm, type OnRenamed, type SdkForm } from "./use-sdk-form.ts";
import { useTrial, type Trial } from "./use-trial.ts";

export interface SdkWork {
  /** Absent: it is not made yet. */
  synapse: SdkSynapse | undefined;
  /** The draft, else what is published. */
  version: SdkSynapseVersion | null;
  draft: SdkSynapseVersion | null;
  files: readonly SdkSynapseFile[];
  /** Whether the caller had a hand in the draft. */
  isAuthor: boolean;
  form: SdkForm;
  /** Whether files can be replaced. */
  isEditable: boolean;
  mayRename: boolean;
  description: SynapseDescription | null;
  reading: Reading;
  trial: Trial;
  /** Why an approver refuses it, while that is written. */
  reason: string;
  setReason: (reason: string) => void;
}

/** How far it is known what the program says of itself. */
interface Reading {
  isRunning: boolean;
  /** Why the program can't be read. */
  problem: ConnectorProblem | null;
  /** Why it was not asked. */
  error: Error | null;
  /** Nobody read it yet, and the caller may not run code. */
  isForbidden: boolean;
  again: () => void;
}

interface Stored extends ReplyOf<typeof getSdkSynapseDraft> {
  synapse: SdkSynapse;
}

export function useSdkWork(
  stored: Stored | undefined,
  inputs: RefObject<HTMLElement | null>,
  onRenamed?: OnRenamed,
): SdkWork {
  const mayWrite = useCan("WRITE_CONNECTOR");
  const { synapse, draft = null, files = [], isAuthor = false } = stored ?? {};
  const form = useSdkForm(synapse && { synapse, draft }, inputs, onRenamed);
  const version = draft ?? synapse?.published ?? null;
  const reading = useReading(synapse, version);
  const description = version?.description ?? reading.description;
  const trial = useTrial({ synapse, version, description, isInWork: draft?.approvalStatus === "NEW" });
  const [reason, setReason] = useState("");
  useUnsavedChanges(reason.trim() !== "" && draft?.approvalStatus === "SUBMIT_FOR_APPROVAL");
  return {
    ...{ synapse, version, draft, files, isAuthor, form, description, reading, trial, reason, setReason },
    isEditable: mayWrite && (!synapse || draft?.approvalStatus === "NEW"),
    mayRename: mayWrite,
  };
}

/** What the code of this version says of itself, where that is not stored yet. */
function useReading(
  synapse: SdkSynapse | undefined,
  version: SdkSynapseVersion | null,
): Reading & Pick<SdkWork, "description"> {
  const mayTest = useCan("TEST_CONNECTION");
  const isUnread = version !== null && version.description === null && synapse?.isOwn === true;
  const contentHash = version?.contentHash ?? "";
  const isAsked = isUnread && mayTest;
  const query = useDescribed(asSdkSynapseId(synapse?.connectorMetaDefinitionId ?? ""), contentHash, isAsked);
  const described = query.data?.contentHash === contentHash ? query.data : undefined;
  return {
    description: described?.description ?? null,
    isRunning: isAsked && query.isFetching,
    problem: isAsked && !query.isFetching ? (described?.problem ?? null) : null,
    error: isAsked && !query.isFetching ? query.error : null,
    isForbidden: isUnread && !mayTest,
    again: () => void query.refetch(),
  };
}
