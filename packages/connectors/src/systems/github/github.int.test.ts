/** GitHub, read and written as its REST reference says: the conformance kit, and what is special about it. */
import { connectTo, entityNamed, readToEnd, testConnector } from "@accord/connector-sdk/test-kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  GITHUB_OWNER,
  GITHUB_RATE_LIMITED,
  GITHUB_READ_TOKEN,
  GITHUB_REPO,
  GITHUB_TOKEN,
  startGithub,
  type Github,
} from "../../../test-systems/vendors/github/github.ts";
import { systemUnderTest } from "../../../test-systems/vendors/under-test.ts";
import { github } from "./index.ts";

const SETTINGS = { owner: GITHUB_OWNER, repository: GITHUB_REPO };

testConnector({
  definition: github,
  async start() {
    const server = await startGithub(130);
    return systemUnderTest({
      server,
      authType: "bearerToken",
      settings: SETTINGS,
      credentials: { token: GITHUB_TOKEN },
      wrongCredentials: { token: "guess-word-1" },
      entity: "issues",
      seeded: 130,
      expected: { idField: "number", types: { title: "string", labels: "string", updated_at: "datetime" } },
      outside: server.outside,
      writes: {
        valid: (n) => ({ title: `Written ${n}`, body: "As & it < is", labels: ["bug", "enhancement"] }),
        change: { title: "Changed", body: null, labels: [] },
        invalid: { title: "" },
        missingId: "987654",
        isNeverFoundAgain: true,
        isNeverDeleted: true,
      },
      rateLimitNext: (waitMs) =>
        server.refuseNext({
          ...GITHUB_RATE_LIMITED,
          headers: {
            ...GITHUB_RATE_LIMITED.headers,
            "x-ratelimit-reset": String(Math.ceil((Date.now() + waitMs) / 1000)),
          },
        }),
    });
  },
});

let server: Github;
beforeAll(async () => void (server = await startGithub(8)));
afterAll(() => server.stop());

const connect = (token = GITHUB_TOKEN) =>
  connectTo(github, { config: { ...SETTINGS, baseUrl: server.url }, authType: "bearerToken", credentials: { token } });

test("pull requests are no issues", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "issues");
  const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 100, mode: "all" });
  expect(server.records.size).toBe(10);
  expect(records).toHaveLength(8);
});

test("an issue is closed with its reason, and assigned by login and number", async () => {
  const connection = connect();
  const entity = await entityNamed(connection, "issues");
  const values = { state: "closed", state_reason: "not_planned", labels: ["new label"] };
  const [outcome] =
    (await connection.write?.({ entity, operations: [{ kind: "update", id: "1", values, idempotencyKey: "k" }] })) ??
    [];
  expect(outcome).toMatchObject({ status: "done", values });
});

test("a token that may only read is refused as a missing permission, in GitHub's words", async () => {
  const connection = connect(GITHUB_READ_TOKEN);
  const entity = await entityNamed(connection, "issues");
  const operation = { kind: "update", id: "1", values: { title: "No" }, idempotencyKey: "k" } as const;
  expect(await connection.write?.({ entity, operations: [operation] })).toMatchObject([
    { status: "rejected", message: expect.stringContaining("not accessible") },
  ]);
});
