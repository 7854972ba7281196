/** Every refusal of a field reads as a sentence about it, whichever rule it broke. */
import { expect, test } from "vitest";
import { z } from "zod";
import { inputProblem } from "./input-problems.ts";

const Sent = z.object({
  name: z.string().min(1).max(5),
  port: z.int().min(1).max(65_535),
  rate: z.number().gt(0).lt(1).multipleOf(0.25),
  mode: z.enum(["fast", "slow"]),
  kind: z.literal("file"),
  unit: z.enum(Array.from({ length: 20 }, (_, at) => `u${at}`)),
  on: z.boolean(),
  email: z.email(),
  site: z.url(),
  at: z.iso.datetime(),
  day: z.iso.date(),
  code: z.string().regex(/^x/),
  own: z.string().regex(/^x/, "must start with x"),
  tags: z.array(z.string()).min(1).max(2),
  extra: z.record(z.string(), z.string()),
  either: z.union([z.string(), z.number()]),
});

const said = (sent: unknown): Record<string, string> =>
  Object.fromEntries(
    (Sent.safeParse(sent, { error: inputProblem }).error?.issues ?? []).map((issue) => [
      issue.path.join("."),
      issue.message,
    ]),
  );

test("what is missing is required", () => {
  expect(new Set(Object.values(said({})))).toEqual(new Set(["is required"]));
  expect(said({ name: "", tags: [] })).toMatchObject({ name: "is required", tags: "needs at least one entry" });
});

test("what does not fit is told with what would", () => {
  const sent = {
    name: "longer",
    port: 70_000,
    rate: 0,
    mode: "odd",
    kind: "folder",
    unit: "none",
    on: "yes",
    email: "ada",
    site: "no address",
    at: "yesterday",
    day: "31.1.",
    code: "y",
    own: "y",
    tags: ["a", "b", "c"],
    extra: [],
    either: true,
  };
  expect(said(sent)).toEqual({
    name: "must have at most 5 characters",
    port: "must be 65535 or less",
    rate: "must be more than 0",
    mode: "must be one of fast, slow",
    kind: "must be file",
    unit: "must be one of the values that are offered",
    on: "must be true or false",
    email: "must be an e-mail address",
    site: "must be an address such as https://example.com",
    at: "must be a time such as 2026-01-31T14:30:00Z",
    day: "must be a day such as 2026-01-31",
    code: "must be written in another way",
    own: "must start with x",
    tags: "takes at most 2 entries",
    extra: "must be an object",
    either: "is of no kind that is accepted here",
  });
  expect(said({ ...sent, port: 1.5, rate: 0.3, tags: "a" })).toMatchObject({
    port: "must be a whole number",
    rate: "must be a multiple of 0.25",
    tags: "must be a list",
  });
});
