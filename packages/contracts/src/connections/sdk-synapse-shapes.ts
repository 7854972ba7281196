/** Uploaded synapses as the API shows them: their versions, states and scopes. */
import { z } from "zod";
import { id } from "../ids.ts";
import { SynapseDescription } from "./synapse-description.ts";

export const APPROVAL_STATUSES = [
  "NEW",
  "SUBMIT_FOR_APPROVAL",
  "APPROVAL_IN_PROGRESS",
  "APPROVED",
  "ARCHIVED",
] as const;
export const ApprovalStatus = z.enum(APPROVAL_STATUSES);
export type ApprovalStatus = z.output<typeof ApprovalStatus>;

export const DEPLOYMENT_STATUSES = ["ACTIVE", "DEPLOY_IN_PROGRESS", "DELETE_IN_PROGRESS", "ERROR"] as const;
export const DeploymentStatus = z.enum(DEPLOYMENT_STATUSES);
export type DeploymentStatus = z.output<typeof DeploymentStatus>;

/** PRIVATE: its own instance; SUBSCRIPTION: all of the organisation; SELECTED: those named; GLOBAL: all there are. */
export const ShareScope = z.enum(["PRIVATE", "SUBSCRIPTION", "SELECTED", "GLOBAL"]);
export type ShareScope = z.output<typeof ShareScope>;

/** One version of the code: what was uploaded, by its hash. */
export const SdkSynapseVersion = z.strictObject({
  number: z.int(),
  approvalStatus: ApprovalStatus,
  /** SHA-256 of the three files: what an approval is of. */
  contentHash: z.string(),
  synapseFileName: z.string(),
  requirements: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  hasIcon: z.boolean(),
  /** Read from the code in a sandbox; null until that was done. */
  description: SynapseDescription.nullable(),
  uploadedBy: id("user"),
  uploadedAt: z.iso.datetime(),
  submittedAt: z.iso.datetime().nullable(),
  approvedAt: z.iso.datetime().nullable(),
  /** How the last submission ended without an approval; null: it did not, or the draft was submitted again. */
  returned: z
    .strictObject({
      how: z.enum(["WITHDRAWN", "REFUSED"]),
      reason: z.string().nullable(),
      returnedAt: z.iso.datetime(),
    })
    .nullable(),
});
export type SdkSynapseVersion = z.output<typeof SdkSynapseVersion>;

export const SDK_SYNAPSE_FILES = ["synapseFile", "requirementsFile", "iconFile"] as const;
/** One uploaded file of a draft. */
export const SdkSynapseFile = z.strictObject({
  file: z.enum(SDK_SYNAPSE_FILES),
  fileName: z.string(),
  bytes: z.int(),
  sha256: z.string(),
});
export type SdkSynapseFile = z.output<typeof SdkSynapseFile>;

/** Whether uploaded code can run on this server; `fix` says what an operator can do. */
export const SandboxAvailability = z.strictObject({
  isAvailable: z.boolean(),
  reason: z.string().nullable(),
  fix: z.string().nullable(),
});
export type SandboxAvailability = z.output<typeof SandboxAvailability>;

export const SdkSynapse = z.strictObject({
  connectorMetaDefinitionId: id("sdkSynapse"),
  connectorMetaName: z.string(),
  connectorMetaDisplayName: z.string(),
  publishToGlobal: z.boolean(),
  /** Global as of its last approval. */
  isGlobal: z.boolean(),
  /** Of the draft where there is one, else of what is published. */
  approvalStatus: ApprovalStatus,
  /** null: nothing was approved yet. */
  deploymentStatus: DeploymentStatus.nullable(),
  deploymentMessage: z.string().nullable(),
  /** Made in the caller's instance, which alone may change it. */
  isOwn: z.boolean(),
  hasDraft: z.boolean(),
  /** Of the draft where there is one, else of what is published. */
  number: z.int(),
  /** How the draft's last submission ended without an approval. */
  returnedAs: z.enum(["WITHDRAWN", "REFUSED"]).nullable(),
  /** An image as a data address, or the name of a general icon. */
  iconUri: z.string(),
  /** Connections of it in the caller's instance. */
  connectionCount: z.int(),
  published: SdkSynapseVersion.nullable(),
  scope: ShareScope,
  version: z.int(),
  createdAt: z.iso.datetime(),
  /** When the shown version was uploaded, submitted, given back or approved last. */
  changedAt: z.iso.datetime(),
});
export type SdkSynapse = z.output<typeof SdkSynapse>;

export const SdkSynapseStatus = z.strictObject({
  approvalStatus: ApprovalStatus,
  deploymentStatus: DeploymentStatus.nullable(),
  message: z.string().nullable(),
  sandbox: SandboxAvailability,
});
export type SdkSynapseStatus = z.output<typeof SdkSynapseStatus>;
