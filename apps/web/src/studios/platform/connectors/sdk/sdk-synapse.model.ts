/** Rules of the screens of uploaded synapses: states, actions, and which file is which. Pure. */
import type { SdkSynapse, SdkSynapseFile } from "@accord/contracts/connections/sdk-synapse-shapes";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import type { Tone } from "@accord/ui";

export const SDK_STEPS = ["configure", "test", "sharing", "review"] as const;
export type SdkStep = (typeof SDK_STEPS)[number];

export type SdkState =
  | "draft"
  | "refused"
  | "withdrawn"
  | "submitted"
  | "deploying"
  | "failed"
  | "deleting"
  | "deployed"
  | "archived";

type StateFacts = Pick<SdkSynapse, "approvalStatus" | "deploymentStatus" | "returnedAs">;

export function stateOf({ approvalStatus, deploymentStatus, returnedAs }: StateFacts): SdkState {
  if (deploymentStatus === "DELETE_IN_PROGRESS") return "deleting";
  switch (approvalStatus) {
    case "NEW":
      return returnedAs === "REFUSED" ? "refused" : returnedAs === "WITHDRAWN" ? "withdrawn" : "draft";
    case "SUBMIT_FOR_APPROVAL":
      return deploymentStatus === "ERROR" ? "failed" : "submitted";
    case "APPROVAL_IN_PROGRESS":
      return "deploying";
    case "APPROVED":
      return "deployed";
    case "ARCHIVED":
      return "archived";
    default:
      return approvalStatus satisfies never;
  }
}

export const STATE_TONE: Record<SdkState, Tone> = {
  draft: "warn",
  refused: "error",
  withdrawn: "idle",
  submitted: "info",
  deploying: "ember",
  failed: "error",
  deleting: "ember",
  deployed: "ok",
  archived: "idle",
};

export type SdkAction = "connect" | "newVersion" | "withdraw" | "discard" | "delete";
type ActionFacts = StateFacts & Pick<SdkSynapse, "isOwn" | "hasDraft" | "published">;

/** What may be done with a synapse as a whole, the likeliest first. */
export function actionsOf(synapse: ActionFacts, mayWrite: boolean): SdkAction[] {
  if (!mayWrite) return [];
  const isPublished = synapse.published !== null;
  const isSubmitted = synapse.approvalStatus === "SUBMIT_FOR_APPROVAL";
  const offered: Record<SdkAction, boolean> = {
    connect: isPublished,
    newVersion: synapse.isOwn && isPublished && !synapse.hasDraft,
    withdraw: synapse.isOwn && isSubmitted,
    discard: synapse.isOwn && isPublished && synapse.hasDraft && synapse.approvalStatus === "NEW",
    delete: synapse.isOwn && stateOf(synapse) !== "deploying",
  };
  const order: SdkAction[] = ["connect", "newVersion", "withdraw", "discard", "delete"];
  return order.filter((action) => offered[action]);
}

export type FileSlot = SdkSynapseFile["file"];
export const FILE_SLOTS = ["synapseFile", "requirementsFile", "iconFile"] as const satisfies readonly FileSlot[];
export const ACCEPTED_FILES = ".mjs,.js,.tgz,.gz,.json,.png,.jpg,.jpeg,.webp";

const ENDINGS: Record<FileSlot, RegExp> = {
  synapseFile: /\.(m?js|tgz|tar\.gz)$/i,
  requirementsFile: /\.json$/i,
  iconFile: /\.(png|jpe?g|webp)$/i,
};

/** Which file of a synapse this is, by its name; null: none. */
export const slotOf = (fileName: string): FileSlot | null =>
  FILE_SLOTS.find((slot) => ENDINGS[slot].test(fileName)) ?? null;

export type FileProblem = "unknownFile" | "emptyFile" | "tooLarge";

/** What is wrong with a file before it is sent. */
export function fileProblem(
  { name, size }: Pick<File, "name" | "size">,
  limits: Readonly<Record<FileSlot, number>> | undefined,
): FileProblem | null {
  const slot = slotOf(name);
  if (slot === null) return "unknownFile";
  if (size === 0) return "emptyFile";
  return limits && size > limits[slot] ? "tooLarge" : null;
}

/** API names that the server takes: letters, digits, dashes and underscores. */
export const metaNameFrom = (displayName: string): string =>
  displayName
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/^[-_]+|-+$/g, "")
    .toLowerCase()
    .slice(0, 60);

/** As the form of a connection knows it, before it can be connected. */
export const triedType = (id: string, description: SynapseDescription): ConnectorType => ({
  id: `sdk:${id}`,
  ...{ category: "api", icon: "code", backgroundColor: "teal" },
  displayName: description.displayName,
  description: description.description,
  helpUrl: description.helpUrl,
  configFields: description.configFields,
  authMethods: description.authMethods,
  capabilities: [...description.capabilities],
});
