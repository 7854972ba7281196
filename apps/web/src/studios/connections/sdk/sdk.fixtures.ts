/** An uploaded synapse and its draft as the server shows them. */
import type { SdkSynapse, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";

export const SDK = "a".repeat(24);
export const HASH = "0123456789abcdef".repeat(4);

export const sdkDescription = {
  displayName: "Tasks",
  description: "Tasks of a small JSON API.",
  configFields: [{ name: "baseUrl", label: "Address", datatype: "url", required: true }],
  authMethods: [
    {
      type: "bearerToken",
      label: "Token",
      fields: [{ name: "token", label: "Token", datatype: "password", secret: true, required: true }],
    },
  ],
  capabilities: ["read", "create"],
  origins: ["{baseUrl}", "https://login.example.com"],
  ...{ readPageSize: 200, writeBatchSize: 20, readDelaySeconds: 0 },
};

export const sdkVersion = (more: Partial<SdkSynapseVersion> = {}) => ({
  ...{ number: 1, approvalStatus: "NEW", contentHash: HASH, synapseFileName: "synapse.mjs" },
  requirements: [{ name: "@accord/connector-sdk", version: "0.1.0" }],
  ...{ hasIcon: false, description: sdkDescription, uploadedBy: "b".repeat(24) },
  ...{ uploadedAt: "2026-11-01T10:00:00.000Z", submittedAt: null, approvedAt: null, returned: null },
  ...more,
});

export const sdkSynapse = (more: Partial<SdkSynapse> = {}) => ({
  ...{ connectorMetaDefinitionId: SDK, connectorMetaName: "tasks", connectorMetaDisplayName: "Task board" },
  ...{ publishToGlobal: false, isGlobal: false, approvalStatus: "NEW", deploymentStatus: null },
  ...{ deploymentMessage: null, isOwn: true, hasDraft: true, number: 1, returnedAs: null, iconUri: "code" },
  ...{ connectionCount: 0, published: null, scope: "PRIVATE", version: 1 },
  ...{ createdAt: "2026-11-01T10:00:00.000Z", changedAt: "2026-11-01T10:00:00.000Z" },
  ...more,
});

export const sdkFiles = [
  { file: "synapseFile", fileName: "synapse.mjs", bytes: 4_400, sha256: "c".repeat(64) },
  { file: "requirementsFile", fileName: "package.json", bytes: 65, sha256: "d".repeat(64) },
];

/** What a test answers. */
export const sdkTried = (more: object = {}) => ({
  result: { ok: true, durationMs: 40, problem: null },
  discovery: { entities: [{ apiName: "task", displayName: "Task", fieldCount: 4 }], problem: null },
  ...{ description: null, log: "loaded\n", exchangeCount: 1 },
  exchanges: [
    {
      number: 1,
      request: { method: "GET", url: "https://tasks.example.com/tasks", headers: [], body: null },
      answer: { status: 200, headers: [], body: "[]", isShortened: false, bytes: 2 },
      durationMs: 12,
    },
  ],
  ...more,
});

export const sdkStatus = () => ({
  ...{ approvalStatus: "NEW", deploymentStatus: null, message: null },
  sandbox: packageIndex().sandbox,
});

export const packageIndex = (more: object = {}) => ({
  packages: [{ name: "@accord/connector-sdk", version: "0.1.0" }],
  isInstalling: false,
  limits: { synapseFile: 5_000_000, requirementsFile: 100_000, iconFile: 200_000 },
  sandbox: { isAvailable: true, reason: null, fix: null },
  ...more,
});
