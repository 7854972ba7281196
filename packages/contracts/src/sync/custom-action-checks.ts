/** Custom actions before and after they are saved: validating one, sending it once as a test, and where it is used. */
import { z } from "zod";
import { Value, Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { ACTION_STATES, CustomActionInput } from "./actions.ts";

/** `actionId`: the stored action that this is a change of; it lends its secret. */
const Candidate = CustomActionInput.extend({ actionId: id("customAction").optional() });

export const validateCustomAction = endpoint({
  name: "validateCustomAction",
  method: "POST",
  path: "/custom-actions/validate",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "What saving this custom action would refuse, by field; nothing is saved or sent.",
  body: Candidate,
  reply: z.strictObject({ problems: z.array(z.strictObject({ path: z.string(), message: z.string() })) }),
});

/** Credentials are masked in all of it. */
const TestedRequest = z.strictObject({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
});

const TestedResponse = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** As text. */
  body: z.string(),
  /** It was longer. */
  isCut: z.boolean(),
});

export const ActionTestResult = z.strictObject({
  succeeded: z.boolean(),
  body: Value,
  code: z.string().nullable(),
  message: z.string().nullable(),
  durationMs: z.number(),
  request: TestedRequest,
  /** null: there was none. */
  response: TestedResponse.nullable(),
});
export type ActionTestResult = z.output<typeof ActionTestResult>;

export const testCustomAction = endpoint({
  name: "testCustomAction",
  method: "POST",
  path: "/custom-actions/test",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Sends the request once with the test values. `actionId` lends its stored secret.",
  body: Candidate,
  reply: ActionTestResult,
  errors: ["credential_host_changed"],
});

/** A node that performs the action, in one version of its pipeline. */
export const ActionUse = z.strictObject({
  entityId: id("entity"),
  pipeline: z.string(),
  graphVersion: z.enum(["draft", "published"]),
  /** `field`: it is in the pipeline of a single field. */
  scope: z.enum(["entity", "field"]),
  nodeId: z.string(),
  label: z.string(),
  /** What the node gives for each variable: values and texts with tokens. */
  variables: Values,
});
export type ActionUse = z.output<typeof ActionUse>;

export const getCustomActionUses = endpoint({
  name: "getCustomActionUses",
  method: "GET",
  path: "/custom-actions/:actionId/uses",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Nodes of drafts and of published pipelines that perform the action.",
  params: z.strictObject({ actionId: id("customAction") }),
  reply: z.strictObject({ uses: z.array(ActionUse) }),
});

/** How an action ended the last time that a pipeline performed it. */
export const LastActionResult = z.strictObject({
  state: z.enum(ACTION_STATES),
  endedAt: z.iso.datetime(),
  message: z.string().nullable(),
  entityId: id("entity"),
});
export type LastActionResult = z.output<typeof LastActionResult>;

export const ActionUsage = z.strictObject({
  actionId: id("customAction"),
  pipelines: z.array(z.strictObject({ entityId: id("entity"), name: z.string(), isPublished: z.boolean() })),
  lastResult: LastActionResult.nullable(),
});
export type ActionUsage = z.output<typeof ActionUsage>;

export const listCustomActionUses = endpoint({
  name: "listCustomActionUses",
  method: "GET",
  path: "/custom-action-uses",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Which pipelines use each custom action, and how it ended the last time; unused ones are left out.",
  reply: z.strictObject({ actions: z.array(ActionUsage) }),
});
