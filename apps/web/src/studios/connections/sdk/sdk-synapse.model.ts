/** Rules of the screens of uploaded synapses: states, actions, and which file is which. Pure. */
import type { SdkSynapse, SdkSynapseFile, ShareScope } from "@accord/contracts/connections/sdk-synapse-shapes";
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

/** As `npm pack` and browsers call it: a second download has a number. */
const REQUIREMENTS_NAME = /^package ?(\(\d+\))?\.json$/i;
const TEST_NAME = /\.test\.[^.]+$/i;
/** What the template calls the code: among several files it is that one. */
const CODE_NAMES = ["synapse.mjs", "main.mjs"];

/** Which file of a synapse this is, by its name; null: none. */
export const slotOf = (fileName: string): FileSlot | null =>
  FILE_SLOTS.find((slot) => ENDINGS[slot].test(fileName)) ?? null;

export type FileProblem = "unknownFile" | "testFile" | "otherJson" | "emptyFile" | "tooLarge";
type Limits = Readonly<Record<FileSlot, number>>;

/** What is wrong with a file before it is sent. */
export function fileProblem(
  { name, size }: Pick<File, "name" | "size">,
  limits: Limits | undefined,
): FileProblem | null {
  const slot = slotOf(name);
  if (slot === null) return "unknownFile";
  if (slot === "synapseFile" && TEST_NAME.test(name)) return "testFile";
  if (slot === "requirementsFile" && !REQUIREMENTS_NAME.test(name)) return "otherJson";
  if (size === 0) return "emptyFile";
  return limits && size > limits[slot] ? "tooLarge" : null;
}

interface SortedFiles<F> {
  taken: Partial<Record<FileSlot, F>>;
  refused: { file: F; slot: FileSlot | null; problem: FileProblem }[];
  /** Could be the file of a slot that another one of them takes. */
  leftOut: { file: F; slot: FileSlot; by: F }[];
}

/** Files that were chosen together, each to its slot: of several for one the likeliest, never a test. */
export function sortFiles<F extends Pick<File, "name" | "size">>(
  given: Iterable<F>,
  limits: Limits | undefined,
): SortedFiles<F> {
  const sorted: SortedFiles<F> = { taken: {}, refused: [], leftOut: [] };
  /** The code by its name, also where it can't be sent: no other file becomes the code in its place. */
  const claiming: Partial<Record<FileSlot, F>> = {};
  for (const file of [...given].toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const slot = slotOf(file.name);
    const problem = fileProblem(file, limits);
    const by = slot && (sorted.taken[slot] ?? claiming[slot]);
    if (problem || !slot) sorted.refused.push({ file, slot, problem: problem ?? "unknownFile" });
    else if (by) sorted.leftOut.push({ file, slot, by });
    else sorted.taken[slot] = file;
    if (slot && rankOf(file) < CODE_NAMES.length) claiming[slot] ??= file;
  }
  return sorted;
}

/** The lower, the likelier. */
function rankOf({ name }: Pick<File, "name">): number {
  const rank = CODE_NAMES.indexOf(name.toLowerCase());
  return rank === -1 ? CODE_NAMES.length : rank;
}

/** Who may connect a synapse. */
export interface Reach {
  scope: Exclude<ShareScope, "GLOBAL">;
  isGlobal: boolean;
  instanceIds: readonly string[];
}

/** Whether somebody who may connect it no longer may afterwards. Shares that one does not see count as some. */
export function isNarrower(before: Reach, after: Reach): boolean {
  if (after.isGlobal) return false;
  if (before.isGlobal) return true;
  if (before.scope === "PRIVATE" || after.scope === "SUBSCRIPTION") return false;
  if (before.scope === "SUBSCRIPTION" || after.scope === "PRIVATE") return true;
  return before.instanceIds.some((id) => !after.instanceIds.includes(id));
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
