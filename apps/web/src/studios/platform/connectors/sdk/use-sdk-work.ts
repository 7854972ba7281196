/** What all steps of an uploaded synapse share: what is stored, what is typed, and what its program says of itself. */
import type { ReplyOf } from "@accord/contracts";
import type { getSdkSynapseDraft } from "@accord/contracts/connections/sdk-synapses";
import type { ConnectorProblem } from "@accord/contracts/connections/connectors";
import type { SdkSynapse, SdkSynapseFile, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import type { RefObject } from "react";
import { useCan } from "../../../../app/session.ts";
import { asSdkSynapseId, useDescribed } from "./sdk-queries.ts";
import { useSdkForm, type SdkForm } from "./use-sdk-form.ts";

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
  /** Why the program can't be read. */
  unreadable: ConnectorProblem | null;
  isDescribing: boolean;
}

interface Stored extends ReplyOf<typeof getSdkSynapseDraft> {
  synapse: SdkSynapse;
}

export function useSdkWork(stored: Stored | undefined, inputs: RefObject<HTMLElement | null>): SdkWork {
  const mayWrite = useCan("WRITE_CONNECTOR");
  const mayTest = useCan("TEST_CONNECTION");
  const { synapse, draft = null, files = [], isAuthor = false } = stored ?? {};
  const form = useSdkForm(synapse && { synapse, draft }, inputs);
  const version = draft ?? synapse?.published ?? null;
  const isUnread = version !== null && version.description === null && mayTest;
  const described = useDescribed(asSdkSynapseId(synapse?.connectorMetaDefinitionId ?? ""), isUnread);
  return {
    synapse,
    version,
    draft,
    files,
    isAuthor,
    form,
    isEditable: mayWrite && (!synapse || draft?.approvalStatus === "NEW"),
    mayRename: mayWrite,
    description: version?.description ?? described.data?.description ?? null,
    unreadable: isUnread ? (described.data?.problem ?? null) : null,
    isDescribing: isUnread && described.isFetching,
  };
}
