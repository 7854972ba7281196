/** Rules of a webhook's form: what it starts from, what it sends, what is wrong at which step. Pure. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import {
  senderOf,
  WEBHOOK_SENDERS,
  WebhookEncoding,
  WebhookHash,
  WebhookSignature,
  type CurlSettings,
  type SigningSettings,
  type WebhookSender,
} from "@accord/contracts/connections/webhook-signing";
import type { WebhookDraft } from "@accord/contracts/connections/webhook-drafts";
import { answerTemplateProblem, WEBHOOK_FIELD_TYPES, WEBHOOK_ICONS } from "@accord/contracts/connections/webhooks";
import type { Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { typedTexts } from "../connections.model.ts";
import { STEPS, type Step } from "./webhook-steps.ts";

const FieldDraft = z.object({
  apiName: z.string().default(""),
  displayName: z.string().default(""),
  dataType: z.enum(WEBHOOK_FIELD_TYPES).catch("string"),
  isMultiValueField: z.boolean().catch(false),
});
export type FieldDraft = z.output<typeof FieldDraft>;
export const NEW_FIELD: FieldDraft = { apiName: "", displayName: "", dataType: "string", isMultiValueField: false };

/** Sent where no other answer is set. */
export const DEFAULT_ANSWER = '{"received": {{count}}}';
/** With these codes HTTP sends no body. */
export const isBodiless = (code: number): boolean => code === 204 || code === 205;

/** What is stored, in whatever state; what is missing is as the server takes it. */
const Stored = z.object({
  icon: z.enum(WEBHOOK_ICONS).catch("webhook"),
  sample: z.string().catch(""),
  recordSelector: z.string().catch(""),
  idSelector: z.string().catch(""),
  fields: z.array(FieldDraft).catch([]),
  signature: WebhookSignature.catch("standard"),
  signatureHeader: z.string().catch("x-hub-signature-256"),
  signatureHash: WebhookHash.catch("sha256"),
  signatureEncoding: WebhookEncoding.catch("hex"),
  toleranceSeconds: z.coerce.string().catch("300"),
  apiKeyHeader: z.string().catch("x-api-key"),
  responseCode: z.coerce.number().catch(202),
  responseTemplate: z.string().catch(DEFAULT_ANSWER),
  postsPerMinute: z.coerce.string().catch("600"),
});
const withDefaults = (config: Values) =>
  Stored.parse({
    ...config,
    toleranceSeconds: config["toleranceSeconds"] ?? "300",
    postsPerMinute: config["postsPerMinute"] ?? "600",
    responseCode: config["responseCode"] ?? 202,
  });

const { signature, signatureHeader, signatureHash, signatureEncoding, toleranceSeconds, apiKeyHeader } = withDefaults(
  {},
);
const DEFAULT_SIGNING = {
  ...{ signature, signatureHeader, signatureHash, signatureEncoding },
  ...{ toleranceSeconds, apiKeyHeader },
};

export interface WebhookForm extends z.output<typeof Stored> {
  name: string;
  authType: string;
  credentials: Readonly<Record<string, unknown>>;
  sender: WebhookSender | "other";
  /** What the test step tries; stored nowhere. */
  payload: string;
  /** Fields as they were last read from the example: those that are still the same nobody touched. */
  inferred: readonly FieldDraft[];
  /** A secret that was made here; shown until the form is submitted. */
  generated: string | undefined;
}

export function formOf(connector: ConnectorDetail | undefined): WebhookForm {
  const stored = withDefaults(connector?.config ?? {});
  return {
    ...stored,
    name: connector?.name ?? "",
    authType: connector?.authType ?? "apiSecretKey",
    credentials: connector?.credentialValues ?? {},
    sender: senderOf(stored),
    payload: stored.sample,
    ...{ inferred: [], generated: undefined },
  };
}

/** What a draft makes of a webhook; its secrets are those of the webhook. */
export const withDraft = (connector: ConnectorDetail, draft: WebhookDraft | null): ConnectorDetail =>
  draft ? { ...connector, name: draft.name, config: draft.config, authType: draft.authType } : connector;

/** The signing of a known sender; of another one what was set stays, over the body alone. */
export const signingOf = (sender: WebhookForm["sender"]): Partial<SigningSettings> =>
  sender === "other" ? { signature: "body" } : WEBHOOK_SENDERS[sender];

export function curlSettings(connector: ConnectorDetail): CurlSettings {
  const stored = withDefaults(connector.config);
  return { ...stored, authType: connector.authType, user: connector.credentialValues["user"] ?? "" };
}

const isSame = (one: FieldDraft, other: FieldDraft): boolean =>
  one.apiName === other.apiName &&
  one.displayName === other.displayName &&
  one.dataType === other.dataType &&
  one.isMultiValueField === other.isMultiValueField;

/** Fields after the example was read again: what a person settled stays, what an earlier reading brought goes. */
export function withRead(form: Pick<WebhookForm, "fields" | "inferred">, read: readonly FieldDraft[]): FieldDraft[] {
  const settled = form.fields.filter((field) => !form.inferred.some((one) => isSame(one, field)));
  return [...settled, ...read.filter(({ apiName }) => !settled.some((field) => field.apiName === apiName))];
}

/** Settings that the form shows for this way of proving; the others are sent as their defaults, so none of them is wrong. */
function shownSettings(form: WebhookForm) {
  const { signature, signatureHeader, signatureHash, signatureEncoding, toleranceSeconds, apiKeyHeader } = form;
  const isSigned = form.authType === "apiSecretKey";
  return {
    ...(isSigned ? { signature } : {}),
    ...(isSigned && signature !== "standard" ? { signatureHeader } : {}),
    ...(isSigned && signature === "body" ? { signatureHash, signatureEncoding } : {}),
    ...(hasSignedTime(form) ? { toleranceSeconds } : {}),
    ...(form.authType === "apiKey" ? { apiKeyHeader } : {}),
  };
}

/** Whether a problem at this path is shown at an input. */
export function hasInput(path: string, form: WebhookForm): boolean {
  const [head = "", ...rest] = path.split(".");
  if (head === "fields") return rest[1] === "apiName";
  if (head === "credentials") return rest.length > 0;
  if (["signatureHeader", "toleranceSeconds", "apiKeyHeader"].includes(head)) return head in shownSettings(form);
  return WITH_INPUT.has(head);
}
const WITH_INPUT: ReadonlySet<string> = new Set([
  ...[
    "name",
    "postsPerMinute",
    "sample",
    "recordSelector",
    "idSelector",
    "responseCode",
    "responseTemplate",
    "payload",
  ],
]);

/** What is sent of the configuration; other settings that are stored stay. */
export function configOf(form: WebhookForm, before: Values = {}): Values {
  const { icon, sample, recordSelector, idSelector, responseCode, responseTemplate, postsPerMinute } = form;
  const { toleranceSeconds, ...signing } = { ...DEFAULT_SIGNING, ...shownSettings(form) };
  const fields = form.fields.map(({ displayName, ...field }) => ({
    ...field,
    ...(displayName.trim() === "" ? {} : { displayName }),
  }));
  const blank = new Set<string>();
  for (const [name, text] of Object.entries({ sample, responseTemplate })) if (text.trim() === "") blank.add(name);
  const sent: Values = {
    ...before,
    ...{ icon, sample, recordSelector, idSelector, fields, responseCode, responseTemplate },
    ...signing,
    toleranceSeconds: Number(toleranceSeconds),
    postsPerMinute: Number(postsPerMinute),
  };
  // Optional texts are sent only where they say something.
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !blank.has(name)));
}

export const credentialsOf = (form: WebhookForm): Record<string, string> => typedTexts(form.credentials);

/** Whether any was typed that a draft does not keep. */
export const hasTypedCredentials = (form: WebhookForm, { credentialValues }: ConnectorDetail): boolean =>
  Object.entries(credentialsOf(form)).some(([name, value]) => credentialValues[name] !== value);

export type Problems = Readonly<Record<string, string>>;

/** Words for what is wrong, given by the screen. */
export interface ProblemWords {
  required: (label: "displayName" | "signatureHeader" | "apiKeyHeader" | "fieldName") => string;
  notJson: (reason: string) => string;
  notObject: string;
  twice: string;
  whole: (min: number, max: number) => string;
}

export function jsonProblem(text: string, words: ProblemWords): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? undefined : words.notObject;
  } catch (error) {
    return words.notJson(error instanceof Error ? error.message : "");
  }
}

const isWhole = (text: string, min: number, max: number): boolean =>
  /^\d{1,9}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;

/** Whether a signed time is part of what is signed. */
export const hasSignedTime = (form: Pick<WebhookForm, "authType" | "signature">): boolean =>
  form.authType === "apiSecretKey" && form.signature !== "body";

/** By input; what only the server can judge is not among them. */
export function problemsOf(form: WebhookForm, step: Step, words: ProblemWords): Problems {
  const found: Record<string, string> = {};
  const check = (path: string, problem: string | undefined | false): void => {
    if (problem) found[path] = problem;
  };
  if (step === "configure") {
    check("name", form.name.trim() === "" && words.required("displayName"));
    check("postsPerMinute", !isWhole(form.postsPerMinute, 1, 100_000) && words.whole(1, 100_000));
    check(
      "signatureHeader",
      form.authType === "apiSecretKey" &&
        form.signature !== "standard" &&
        form.signatureHeader.trim() === "" &&
        words.required("signatureHeader"),
    );
    check("apiKeyHeader", form.authType === "apiKey" && !form.apiKeyHeader.trim() && words.required("apiKeyHeader"));
    check(
      "toleranceSeconds",
      hasSignedTime(form) && !isWhole(form.toleranceSeconds, 10, 86_400) && words.whole(10, 86_400),
    );
  }
  if (step === "payload") {
    check("sample", form.sample.trim() !== "" && jsonProblem(form.sample, words));
    for (const [at, { apiName }] of form.fields.entries()) {
      const isTwice = form.fields.findIndex((field) => field.apiName.trim() === apiName.trim()) < at;
      check(`fields.${at}.apiName`, apiName.trim() === "" ? words.required("fieldName") : isTwice && words.twice);
    }
  }
  if (step === "response" && form.responseTemplate.trim() !== "")
    check("responseTemplate", capital(answerTemplateProblem(form.responseTemplate) ?? ""));
  if (step === "test") check("payload", form.payload.trim() !== "" && jsonProblem(form.payload, words));
  return found;
}

const OF_STEP: Readonly<Record<string, Step>> = {
  name: "configure",
  credentials: "configure",
  icon: "configure",
  signature: "configure",
  signatureHeader: "configure",
  signatureHash: "configure",
  signatureEncoding: "configure",
  toleranceSeconds: "configure",
  apiKeyHeader: "configure",
  postsPerMinute: "configure",
  sample: "payload",
  recordSelector: "payload",
  idSelector: "payload",
  fields: "payload",
  responseCode: "response",
  responseTemplate: "response",
  payload: "test",
};

const capital = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}`;

/** What the server said of single inputs: `config.recordSelector` is the form's `recordSelector`. */
export const serverProblems = (problems: readonly { path: string; message: string }[]): Problems =>
  Object.fromEntries(problems.map(({ path, message }) => [path.replace(/^config\./, ""), capital(message)]));

export const stepOf = (path: string): Step => OF_STEP[path.split(".")[0] ?? ""] ?? "configure";

/** Those of a step and of the steps before it. */
export const problemsUpTo = (problems: Problems, step: Step): Problems =>
  Object.fromEntries(Object.entries(problems).filter(([path]) => STEPS.indexOf(stepOf(path)) <= STEPS.indexOf(step)));
