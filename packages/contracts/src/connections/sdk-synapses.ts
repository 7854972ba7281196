/** Uploaded synapses: created from three files, tried in a sandbox, submitted, approved, shared. */
import { z } from "zod";
import { Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { upload } from "../upload.ts";
import { CheckResult, ConnectorProblem } from "./connector-shapes.ts";
import { SynapseExchange } from "./http-synapse-tests.ts";
import {
  SDK_SYNAPSE_FILES,
  SdkSynapse,
  SdkSynapseFile,
  SdkSynapseStatus,
  SdkSynapseVersion,
} from "./sdk-synapse-shapes.ts";
import { SynapseDescription } from "./synapse-description.ts";

const params = z.strictObject({ connectorMetaDefinitionId: id("sdkSynapse") });
const PATH = "/custom-synapses/sdk/:connectorMetaDefinitionId";

/** Goes into the types of connections and the names of files. */
const MetaName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/, "may hold letters, digits, dashes and underscores, and no spaces");
const DisplayName = z.string().trim().min(1, "is required").max(60);
/** Forms send texts. */
const FormFlag = z
  .union([z.boolean(), z.enum(["true", "false"])])
  .transform((flag) => flag === true || flag === "true")
  .default(false);
const draftReply = z.strictObject({ draft: SdkSynapseVersion.nullable() });

const step = {
  method: "POST",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  params,
  errors: ["invalid_state"],
} as const;

export const createSdkSynapse = endpoint({
  name: "createSdkSynapse",
  method: "POST",
  path: "/custom-synapses/sdk",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  creates: true,
  summary: "Uploads a new synapse: its code, its requirements and an icon. Nothing is run yet.",
  bodyKind: "multipart",
  body: z.strictObject({
    connectorMetaName: MetaName,
    connectorMetaDisplayName: DisplayName,
    publishToGlobal: FormFlag,
    iconFile: upload().optional(),
    synapseFile: upload(),
    requirementsFile: upload(),
  }),
  reply: SdkSynapse,
  errors: ["name_taken", "validation_failed"],
});

export const updateSdkSynapseDraft = endpoint({
  name: "updateSdkSynapseDraft",
  method: "PUT",
  path: `${PATH}/draft`,
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Replaces files of the draft; those that are left out stay.",
  params,
  bodyKind: "multipart",
  body: z.strictObject({
    /** Of the draft that the caller saw. */
    contentHash: z.string().max(64),
    iconFile: upload().optional(),
    synapseFile: upload().optional(),
    requirementsFile: upload().optional(),
  }),
  reply: SdkSynapseVersion,
  errors: ["stale_version", "invalid_state", "validation_failed"],
});

export const listSdkSynapses = endpoint({
  name: "listSdkSynapses",
  method: "GET",
  path: "/custom-synapses/sdk",
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "Uploaded synapses of the instance, and approved ones that others share with it.",
  reply: z.strictObject({ synapses: z.array(SdkSynapse) }),
});

export const getSdkSynapse = endpoint({
  name: "getSdkSynapse",
  method: "GET",
  path: PATH,
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "One uploaded synapse.",
  params,
  reply: SdkSynapse,
});

export const deleteSdkSynapse = endpoint({
  name: "deleteSdkSynapse",
  method: "DELETE",
  path: PATH,
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Deletes an uploaded synapse with its versions; refused while connections use it.",
  params,
  reply: z.strictObject({}),
  errors: ["in_use"],
});

export const saveSdkSynapse = endpoint({
  name: "saveSdkSynapse",
  method: "POST",
  path: `${PATH}/save`,
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary:
    "Saves what a synapse is called, and whether its next approval publishes it globally; that can't be asked for while a draft is submitted.",
  params,
  body: z.strictObject({
    version: z.int(),
    connectorMetaDisplayName: DisplayName,
    publishToGlobal: z.boolean(),
  }),
  reply: SdkSynapse,
  errors: ["stale_version", "invalid_state"],
});

export const testSdkSynapse = endpoint({
  ...step,
  name: "testSdkSynapse",
  path: `${PATH}/test`,
  access: "TEST_CONNECTION",
  summary: "Runs the draft's check in the sandbox with these inputs and lists its entities; nothing of them is stored.",
  body: z.strictObject({
    config: Values.default({}),
    authType: z.string().max(40).default("none"),
    credentials: z.record(z.string().max(60), z.string().max(20_000)).default({}),
  }),
  reply: z.strictObject({
    result: CheckResult,
    /** What connections will offer, read after a check that passed; `problem`: why it could not be. */
    discovery: z.strictObject({
      entities: z.array(z.strictObject({ apiName: z.string(), displayName: z.string(), fieldCount: z.int() })),
      problem: ConnectorProblem.nullable(),
    }),
    description: SynapseDescription.nullable(),
    /** The last of what the code wrote to stdout and stderr. */
    log: z.string(),
    /** Requests that the code made through the server, with secrets masked: the first and the last of many. */
    exchanges: z.array(SynapseExchange),
    /** How many there were. */
    exchangeCount: z.int(),
  }),
  errors: ["invalid_state", "validation_failed"],
});

export const describeSdkSynapse = endpoint({
  ...step,
  name: "describeSdkSynapse",
  path: `${PATH}/describe`,
  access: "TEST_CONNECTION",
  summary: "Runs the draft in the sandbox for what it says of itself, or answers why that can't be read.",
  reply: z.strictObject({
    /** Of the version that was read. */
    contentHash: z.string(),
    description: SynapseDescription.nullable(),
    problem: ConnectorProblem.nullable(),
  }),
});

export const getSdkSynapseStatus = endpoint({
  name: "getSdkSynapseStatus",
  method: "GET",
  path: `${PATH}/status`,
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "How far approval and deployment are, and whether uploaded code can run here.",
  params,
  reply: SdkSynapseStatus,
});

export const getSdkSynapseDraft = endpoint({
  name: "getSdkSynapseDraft",
  method: "GET",
  path: `${PATH}/draft`,
  access: "READ_CONNECTOR",
  scope: "instance",
  summary: "The version that is not published yet, with its files; null where there is none.",
  params,
  reply: draftReply.extend({
    files: z.array(SdkSynapseFile),
    /** Whether the caller uploaded or submitted a part of it, and so can't approve or refuse it. */
    isAuthor: z.boolean(),
  }),
});

export const getSdkSynapseDraftFile = endpoint({
  name: "getSdkSynapseDraftFile",
  method: "GET",
  path: `${PATH}/draft/files/:file`,
  access: "APPROVE_CUSTOM_SYNAPSE",
  scope: "instance",
  summary: "One file of the draft, byte for byte, for whoever has to approve it.",
  params: params.extend({ file: z.enum(SDK_SYNAPSE_FILES) }),
  query: z.strictObject({
    /** Of the draft whose approval is decided on; without it the present one's file is sent. */
    contentHash: z.string().max(64).optional(),
  }),
  reply: z.string(),
  errors: ["stale_version"],
});

export const createSdkSynapseDraft = endpoint({
  ...step,
  name: "createSdkSynapseDraft",
  path: `${PATH}/create-draft`,
  summary: "Begins a new version with the files of the published one.",
  reply: draftReply,
});

export const discardSdkSynapseDraft = endpoint({
  ...step,
  name: "discardSdkSynapseDraft",
  path: `${PATH}/discard-draft`,
  summary: "Throws the draft away; what is published stays.",
  reply: draftReply,
});

export const submitSdkSynapse = endpoint({
  ...step,
  name: "submitSdkSynapse",
  path: `${PATH}/submit`,
  summary:
    "Submits exactly the files with this hash for approval: the files of the draft can't be replaced until it is withdrawn.",
  body: z.strictObject({
    /** Of the draft that the caller saw. */
    contentHash: z.string().max(64),
  }),
  reply: SdkSynapseStatus,
  errors: ["invalid_state", "stale_version"],
});

export const withdrawSdkSynapse = endpoint({
  ...step,
  name: "withdrawSdkSynapse",
  path: `${PATH}/withdraw`,
  summary: "Takes a submitted draft back.",
  reply: SdkSynapseStatus,
});

export const approveSdkSynapse = endpoint({
  ...step,
  name: "approveSdkSynapse",
  path: `${PATH}/approve`,
  access: "APPROVE_CUSTOM_SYNAPSE",
  summary:
    "Approves exactly the files with this hash and whether they are published globally, by somebody who did not upload or submit them, and deploys them.",
  body: z.strictObject({
    contentHash: z.string().max(64),
    /** What the synapse showed when it was looked at: an approval of `true` makes it visible to everybody. */
    publishToGlobal: z.boolean(),
  }),
  reply: SdkSynapseStatus,
  errors: ["invalid_state", "stale_version", "forbidden"],
});

export const refuseSdkSynapse = endpoint({
  ...step,
  name: "refuseSdkSynapse",
  path: `${PATH}/refuse`,
  access: "APPROVE_CUSTOM_SYNAPSE",
  summary: "Gives a submitted draft back to its author with a reason, by somebody who did not upload or submit it.",
  body: z.strictObject({
    contentHash: z.string().max(64),
    reason: z.string().trim().min(1, "say what has to change").max(1_000),
  }),
  reply: SdkSynapseStatus,
  errors: ["invalid_state", "stale_version"],
});
