/** Calls that are tried while an HTTP synapse is described: each request and answer is shown, secrets masked. */
import { z } from "zod";
import { Value, Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { ConnectorProblem } from "./connector-shapes.ts";
import { HttpSynapseSettings, VariableValues } from "./http-synapse-definition.ts";

/** An `HttpEntityConfig`, perhaps not complete yet. */
const entity = Values;
const recordId = z.string().trim().min(1, "enter the id of a record").max(2000);

export const SynapseReadTest = z.discriminatedUnion("kind", [
  /** The synapse's own test call. */
  z.strictObject({ kind: z.literal("check") }),
  /** The list as it stands; fields, paging and the like are proposed from its answer. */
  z.strictObject({ kind: z.literal("list"), entity }),
  /** Two pages, by the paging that is set. */
  z.strictObject({ kind: z.literal("secondPage"), entity }),
  z.strictObject({ kind: z.literal("changes"), entity, since: z.iso.datetime() }),
  z.strictObject({ kind: z.literal("get"), entity, recordId }),
]);
export type SynapseReadTest = z.output<typeof SynapseReadTest>;

export const SynapseWriteTest = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("create"), entity, values: Values }),
  z.strictObject({ kind: z.literal("update"), entity, recordId, values: Values }),
  z.strictObject({ kind: z.literal("delete"), entity, recordId }),
]);
export type SynapseWriteTest = z.output<typeof SynapseWriteTest>;

export const SynapseExchange = z.strictObject({
  /** Counted from 1, among all that were sent. */
  number: z.int(),
  request: z.strictObject({
    method: z.string(),
    url: z.string(),
    headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
    body: z.string().nullable(),
  }),
  /** null: none came. */
  answer: z
    .strictObject({
      status: z.int(),
      headers: z.array(z.strictObject({ name: z.string(), value: z.string() })),
      /** First part of the body, as text. */
      body: z.string(),
      isShortened: z.boolean(),
      bytes: z.int(),
    })
    .nullable(),
  durationMs: z.int(),
});
export type SynapseExchange = z.output<typeof SynapseExchange>;

export const PagingProposal = z.strictObject({
  /** An `HttpPaging`. */
  paging: Values,
  /** Where it was seen in the answer: a path, or the name of a header. */
  foundAt: z.string(),
  /** Rules for the end of the list that go with it. */
  stop: Values,
});
export type PagingProposal = z.output<typeof PagingProposal>;

export const SynapseTestResult = z.strictObject({
  ok: z.boolean(),
  problem: ConnectorProblem.nullable(),
  /** The first and the last of many. */
  exchanges: z.array(SynapseExchange),
  /** How many there were. */
  exchangeCount: z.int(),
  /** Where lists of records were found in the answer, likeliest first. */
  recordSelectors: z.array(z.string()),
  /** Of `secondPage` one for each page. */
  pages: z.array(z.strictObject({ count: z.int(), ids: z.array(z.string()) })),
  /** Records of the second page that stood on the first. */
  repeated: z.int(),
  fields: z.array(z.record(z.string(), Value)),
  sample: z.array(Values),
  paging: z.array(PagingProposal),
  /** What became of a write. */
  outcome: z.strictObject({ status: z.string(), id: z.string().nullable(), message: z.string().nullable() }).nullable(),
});
export type SynapseTestResult = z.output<typeof SynapseTestResult>;

const described = {
  /** Its stored values and secrets fill what is left out, where they go to the address they were entered for. */
  metadataId: id("customSynapse").optional(),
  settings: HttpSynapseSettings,
  variableValues: VariableValues.default({}),
  credentials: z.record(z.string().max(100), z.string().max(20_000)).default({}),
};

export const testHttpSynapse = endpoint({
  name: "testHttpSynapse",
  method: "POST",
  path: "/custom-synapses/http/test",
  access: "TEST_CONNECTION",
  scope: "instance",
  summary: "Reads by an HTTP synapse as it is being described, and shows requests and answers with secrets masked.",
  body: z.strictObject({ ...described, call: SynapseReadTest }),
  reply: SynapseTestResult,
  errors: ["validation_failed", "outbound_refused", "credential_host_changed"],
});

export const testHttpSynapseWrite = endpoint({
  name: "testHttpSynapseWrite",
  method: "POST",
  path: "/custom-synapses/http/test-write",
  access: "WRITE_CONNECTOR",
  scope: "instance",
  summary: "Creates, changes or deletes one record in the system by an HTTP synapse as it is being described.",
  body: z.strictObject({ ...described, call: SynapseWriteTest }),
  reply: SynapseTestResult,
  errors: ["validation_failed", "outbound_refused", "credential_host_changed"],
});
