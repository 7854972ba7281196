/** Actions of pipelines: REST calls people made reusable, and what became of each action that was performed. */
import { z } from "zod";
import { Value } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { id } from "../ids.ts";
import { Person } from "./pipelines.ts";

export const ACTION_METHODS = ["GET", "POST", "PUT", "DELETE"] as const;

/** What values of a variable become before they are sent; `any` leaves them as they are. */
export const ACTION_VARIABLE_TYPES = ["any", "text", "number", "boolean", "date", "datetime"] as const;
export type ActionVariableType = (typeof ACTION_VARIABLE_TYPES)[number];

/** A value the action asks each node for. */
export const ActionVariable = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must be letters, digits and underscores, beginning with a letter")
    .max(60),
  type: z.enum(ACTION_VARIABLE_TYPES).default("any"),
  required: z.boolean().default(false),
  multivalued: z.boolean().default(false),
  /** Used where a node gives no value. */
  defaultValue: Value.default(null),
});
export type ActionVariable = z.output<typeof ActionVariable>;

export const ActionHeader = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "must be a header name")
    .max(100),
  value: z.string().max(4000),
});

/** How the receiver knows who calls. The secret is never sent back, and only used for the host it was entered for. */
export const ActionAuthentication = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.literal("bearer") }),
  z.strictObject({ type: z.literal("basic"), userName: z.string().max(200) }),
  z.strictObject({ type: z.literal("apiKey"), headerName: ActionHeader.shape.name }),
]);
export type ActionAuthentication = z.output<typeof ActionAuthentication>;

const described = {
  displayName: z.string().trim().min(1, "is required").max(120),
  description: z.string().max(1000).default(""),
  apiName: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_-]*$/, "must be letters, digits, - and _, beginning with a letter")
    .max(80),
  /** Name of one of the product's icons. */
  iconPath: z.string().max(200).default(""),
  basicHelpText: z.string().max(1000).default(""),
  helpLink: z.union([z.literal(""), z.url({ protocol: /^https?$/ }).max(500)]).default(""),
  tags: z.array(z.string().max(40)).max(20).default([]),
};

/** Endpoint, body and header values may hold `{{variable}}`. */
const request = {
  method: z.enum(ACTION_METHODS).default("POST"),
  endpoint: z.string().trim().min(1, "is required").max(2000),
  headers: z.array(ActionHeader).max(50).default([]),
  body: z.string().max(100_000).default(""),
  variables: z.array(ActionVariable).max(50).default([]),
  authentication: ActionAuthentication.default({ type: "none" }),
  /** The receiver does a request with the same Idempotency-Key once. */
  repeatable: z.boolean().default(false),
  /** One request for several records: the body's `{{records}}` is the list of their variables. All share its answer. */
  isBatch: z.boolean().default(false),
  batchSize: z.int().min(1, "must be 1 at least").max(500, "may be 500 at most").default(100),
  /** For one request. */
  timeoutSeconds: z.int().min(1, "must be 1 at least").max(120, "may be 120 at most").default(30),
};

const secret = z.string().min(1).max(8000).optional();
/** Values for a test, by variable. */
const variableValues = z.record(z.string(), Value).default({});

export const CustomActionInput = z.strictObject({ ...described, ...request, variableValues, secret });
export type CustomActionInput = z.output<typeof CustomActionInput>;

export const CustomAction = z.strictObject({
  id: id("customAction"),
  ...described,
  ...request,
  variableValues,
  /** Whether a secret is stored. */
  hasSecret: z.boolean(),
  revision: z.int().nonnegative(),
  updatedAt: z.iso.datetime(),
  /** null: made before authors were stored. */
  createdBy: Person.nullable(),
  updatedBy: Person.nullable(),
});
export type CustomAction = z.output<typeof CustomAction>;

const actionParams = z.strictObject({ actionId: id("customAction") });

export const listCustomActions = endpoint({
  name: "listCustomActions",
  method: "GET",
  path: "/custom-actions",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Custom actions of the instance, by name.",
  reply: z.strictObject({ actions: z.array(CustomAction) }),
});

export const getCustomAction = endpoint({
  name: "getCustomAction",
  method: "GET",
  path: "/custom-actions/:actionId",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "One custom action, without its secret.",
  params: actionParams,
  reply: CustomAction,
});

export const createCustomAction = endpoint({
  name: "createCustomAction",
  method: "POST",
  path: "/custom-actions",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Makes a REST call reusable as a node of pipelines.",
  body: CustomActionInput,
  reply: CustomAction,
});

export const updateCustomAction = endpoint({
  name: "updateCustomAction",
  method: "PUT",
  path: "/custom-actions/:actionId",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Changes a custom action; the secret stays unless another one is sent or the host changes.",
  params: actionParams,
  body: CustomActionInput.extend({ revision: z.int().nonnegative() }),
  reply: CustomAction,
  errors: ["stale_version", "credential_host_changed"],
});

export const deleteCustomAction = endpoint({
  name: "deleteCustomAction",
  method: "DELETE",
  path: "/custom-actions/:actionId",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Deletes a custom action; one that pipelines use only when `confirmed`: their nodes fail from then on.",
  params: actionParams,
  query: z.strictObject({ confirmed: z.stringbool().default(false) }),
  reply: z.strictObject({}),
  errors: ["in_use"],
});

export const ACTION_STATES = ["DUE", "BEGUN", "DONE", "FAILED", "UNKNOWN"] as const;

export const ActionRunRow = z.strictObject({
  id: id("actionRun"),
  nodeId: z.string(),
  label: z.string(),
  action: z.string(),
  /** DUE waits · BEGUN is under way · UNKNOWN was begun and may have happened. */
  state: z.enum(ACTION_STATES),
  attempts: z.int(),
  externalId: z.string().nullable(),
  recordId: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** When somebody let the failure go, or the same succeeded for the record. */
  dismissedAt: z.iso.datetime().nullable(),
  code: z.string().nullable(),
  message: z.string().nullable(),
  /** What came back, or what a Log node wrote. */
  body: Value,
});
export type ActionRunRow = z.output<typeof ActionRunRow>;

export const listPipelineActions = endpoint({
  name: "listPipelineActions",
  method: "GET",
  path: "/pipelines/:entityId/actions",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Actions a pipeline performed or has to perform, the newest first.",
  params: z.strictObject({ entityId: id("entity") }),
  query: z.strictObject({
    /** Comma-separated; all when absent. */
    states: z.string().max(100).optional(),
    nodeId: z.string().max(64).optional(),
    cursor: z.string().max(40).optional(),
    count: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.strictObject({ actions: z.array(ActionRunRow), nextCursor: z.string().nullable() }),
});

export const listRecordActions = endpoint({
  name: "listRecordActions",
  method: "GET",
  path: "/entities/:entityId/records/:recordId/actions",
  access: "READ_DATA_STUDIO",
  scope: "instance",
  summary: "Actions that pipelines performed for a record, the newest first, failures with their reason.",
  params: z.strictObject({ entityId: id("entity"), recordId: id("record") }),
  query: z.strictObject({
    cursor: z.string().max(40).optional(),
    count: z.coerce.number().int().min(1).max(200).default(50),
  }),
  reply: z.strictObject({ actions: z.array(ActionRunRow), nextCursor: z.string().nullable() }),
});

/** Chosen failures; all of the pipeline when `ids` is absent. */
const FailureChoice = z.strictObject({ ids: z.array(id("actionRun")).min(1).max(500).optional() });

export const repeatActions = endpoint({
  name: "repeatActions",
  method: "POST",
  path: "/pipelines/:entityId/actions/repeat",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Performs failed actions again, as they were to be performed then.",
  params: z.strictObject({ entityId: id("entity") }),
  body: FailureChoice,
  reply: z.strictObject({ repeated: z.int().nonnegative() }),
});

export const dismissActions = endpoint({
  name: "dismissActions",
  method: "POST",
  path: "/pipelines/:entityId/actions/dismiss",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Lets failed actions go: they are no longer warnings of the pipeline.",
  params: z.strictObject({ entityId: id("entity") }),
  body: FailureChoice,
  reply: z.strictObject({ dismissed: z.int().nonnegative() }),
});

/** A custom action was created, changed or deleted. */
export const customActionChanged = event({
  name: "customActionChanged",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({ actionId: id("customAction") }),
});
