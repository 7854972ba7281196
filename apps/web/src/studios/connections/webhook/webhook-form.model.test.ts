/** What a webhook's form sends and complains of, and which sender a stored configuration is. */
import { senderOf, WEBHOOK_SENDERS } from "@accord/contracts/connections/webhook-signing";
import { answerTemplateProblem } from "@accord/contracts/connections/webhooks";
import { expect, test } from "vitest";
import {
  configOf,
  formOf,
  hasInput,
  problemsOf,
  problemsUpTo,
  serverProblems,
  signingOf,
  stepOf,
  withRead,
  type ProblemWords,
} from "./webhook-form.model.ts";

const WORDS: ProblemWords = {
  required: (label) => `${label} is needed`,
  notJson: () => "no JSON",
  notObject: "no object",
  twice: "twice",
  whole: (min, max) => `${min} to ${max}`,
};
const FIELD = { displayName: "", dataType: "string", isMultiValueField: false } as const;

test("[PLT-089] blank texts are left out of what is sent, and settings the form does not show stay", () => {
  const form = { ...formOf(undefined), name: "Shop", responseTemplate: "  ", sample: "" };
  const sent = configOf(form, { later: true });
  expect(Object.keys(sent)).not.toContain("responseTemplate");
  expect(Object.keys(sent)).not.toContain("sample");
  expect(sent).toMatchObject({ later: true, fields: [], toleranceSeconds: 300, responseCode: 202 });
  const labelled = {
    ...form,
    fields: [
      { ...FIELD, apiName: "id" },
      { ...FIELD, apiName: "sum", displayName: "Sum" },
    ],
  };
  expect(configOf(labelled)["fields"]).toEqual([
    { apiName: "id", dataType: "string", isMultiValueField: false },
    { apiName: "sum", dataType: "string", isMultiValueField: false, displayName: "Sum" },
  ]);
});

test("each step complains of its own inputs alone", () => {
  const form = {
    ...formOf(undefined),
    ...{ sender: "other" as const, signature: "body" as const, signatureHeader: " ", postsPerMinute: "0" },
    ...{ sample: "[1", payload: "7", fields: ["id", "id", ""].map((apiName) => ({ ...FIELD, apiName })) },
  };
  expect(problemsOf(form, "configure", WORDS)).toEqual({
    name: "displayName is needed",
    postsPerMinute: "1 to 100000",
    signatureHeader: "signatureHeader is needed",
  });
  expect(problemsOf(form, "payload", WORDS)).toEqual({
    sample: "no JSON",
    "fields.1.apiName": "twice",
    "fields.2.apiName": "fieldName is needed",
  });
  expect(problemsOf(form, "test", WORDS)).toEqual({ payload: "no object" });
  expect(problemsOf({ ...form, authType: "apiKey", apiKeyHeader: "" }, "configure", WORDS)).toHaveProperty(
    "apiKeyHeader",
  );
});

test("what the server says belongs to an input, and waits until its step is reached", () => {
  const said = serverProblems([
    { path: "config.recordSelector", message: "is no path" },
    { path: "config.responseTemplate", message: "must be JSON" },
  ]);
  expect(said).toEqual({ recordSelector: "Is no path", responseTemplate: "Must be JSON" });
  expect(Object.keys(problemsUpTo(said, "payload"))).toEqual(["recordSelector"]);
  expect(["fields.3.apiName", "credentials.secret", "payload", "responseCode"].map(stepOf)).toEqual([
    "payload",
    "configure",
    "test",
    "response",
  ]);
});

test("a stored way of signing is known by its sender; another is another", () => {
  for (const name of ["standard", "github", "stripe", "shopify", "slack"] as const) {
    expect(senderOf(WEBHOOK_SENDERS[name])).toBe(name);
    expect(signingOf(name)).toEqual(WEBHOOK_SENDERS[name]);
  }
  expect(senderOf({ ...WEBHOOK_SENDERS.github, signatureHash: "sha512" })).toBe("other");
  expect(senderOf({ ...WEBHOOK_SENDERS.stripe, signatureHeader: "x-own" })).toBe("other");
  expect(signingOf("other")).toEqual({ signature: "body" });
});

test("the template of an answer is JSON once filled in, and names what there is", () => {
  expect(answerTemplateProblem('{"received": {{count}}, "id": "{{id}}"}')).toBeNull();
  expect(answerTemplateProblem('{"id": {{id}}}')).toContain("JSON");
  expect(answerTemplateProblem('{"sum": {{sum}}}')).toContain("{{sum}}");
  expect(answerTemplateProblem("")).toContain("JSON");
});

test("settings that do not apply are sent as their defaults, whatever was typed before", () => {
  const wrong = { ...formOf(undefined), toleranceSeconds: "5", signatureHeader: "x sig", apiKeyHeader: " " };
  expect(configOf({ ...wrong, authType: "bearerToken" })).toMatchObject({
    ...{ toleranceSeconds: 300, signatureHeader: "x-hub-signature-256", apiKeyHeader: "x-api-key" },
  });
  const github = { ...wrong, sender: "github" as const, ...WEBHOOK_SENDERS.github };
  expect(configOf(github)).toMatchObject({ toleranceSeconds: 300, signature: "body" });
  expect(configOf({ ...wrong, authType: "apiKey" })).toMatchObject({ apiKeyHeader: " " });
  expect(hasInput("toleranceSeconds", github)).toBe(false);
  expect(hasInput("toleranceSeconds", wrong)).toBe(true);
  expect(["fields", "icon", "fields.2.displayName", "fields.2.apiName"].map((path) => hasInput(path, wrong))).toEqual([
    ...[false, false, false, true],
  ]);
});

test("fields that an earlier reading brought and nobody touched go; settled ones stay", () => {
  const [more, data, id] = ["has_more", "data", "id"].map((apiName) => ({ ...FIELD, apiName }));
  if (!more || !data || !id) throw new Error("three fields");
  const settled = { ...data, displayName: "Data" };
  expect(withRead({ fields: [more, settled], inferred: [more, data] }, [id, data])).toEqual([settled, id]);
  expect(withRead({ fields: [more], inferred: [] }, [id])).toEqual([more, id]);
});

test("an answer that is not JSON is wrong at its step; an empty one is the default", () => {
  const form = formOf(undefined);
  expect(problemsOf({ ...form, responseTemplate: "no" }, "response", WORDS)["responseTemplate"]).toMatch(
    /^Must be JSON/,
  );
  expect(problemsOf({ ...form, responseTemplate: " " }, "response", WORDS)).toEqual({});
});
