/** The conformance kit: one suite of tests that every connector passes against a real, running system. */
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { ConnectorDefinition } from "../connector.ts";
import type { Kit } from "./kit.ts";
import { connectTo, type SystemUnderTest } from "./system.ts";
import { describeConditionalWriting } from "./conditional-suite.ts";
import { describeErrors } from "./errors-suite.ts";
import { describeReading } from "./reading-suite.ts";
import { entityNamed } from "./reading.ts";
import { describeWriting } from "./writing-suite.ts";

export { connectTo, sendPlainly, type SystemUnderTest } from "./system.ts";
export { entityNamed, fieldNames, latestById, readToEnd } from "./reading.ts";

/** Declares the whole suite for one connector. `start` brings up the real system, once. */
export function testConnector(spec: {
  definition: ConnectorDefinition;
  start: () => Promise<SystemUnderTest>;
  startTimeoutMs?: number;
}): void {
  const { definition } = spec;
  let running: SystemUnderTest | null = null;
  const system = (): SystemUnderTest => {
    if (!running) throw new Error("The system under test is not running.");
    return running;
  };
  const kit: Kit = {
    definition,
    system,
    connect(overrides) {
      const connection = connectTo(definition, system(), overrides);
      onTestFinished(() => connection.close());
      return connection;
    },
  };

  describe(`${definition.displayName} keeps the connector's promise`, () => {
    beforeAll(async () => {
      running = await spec.start();
    }, spec.startTimeoutMs ?? 60_000);
    afterAll(() => running?.stop());
    beforeEach(({ task }) => void (task.meta.connector = definition.type));

    describe("describes", () => {
      test("its definition is complete and its example configuration has no problems", () => {
        expect(definition.type).toMatch(/^[a-z][a-z0-9-]*$/);
        expect(definition.problems(system().config)).toEqual([]);
        expect(definition.authMethods.length).toBeGreaterThan(0);
        const secrets = definition.authMethods.flatMap((method) => method.fields.filter((field) => field.secret));
        expect(secrets.every((field) => field.datatype === "password")).toBe(true);
        expect(definition.hosts(system().config).every((host) => /^[^/\s]+:\d+$/.test(host))).toBe(true);
        expect(definition.destinations(system().config).every((url) => URL.canParse(url))).toBe(true);
      });
      test("an empty configuration is refused field by field", () => {
        for (const problem of definition.problems({})) expect(problem.message).not.toBe("");
      });
      test("what it claims is asked of the system in the tests that follow", async () => {
        const { config, entity: name, authType, writes, faults } = system();
        const capabilities = definition.capabilitiesOf(config, await entityNamed(kit.connect(), name));
        if (capabilities.includes("create")) expect(writes, "values to write").toBeDefined();
        // Who is only written to by others proves nothing, and reaches nobody.
        if (definition.hosts(config).length === 0) return;
        const method = definition.authMethods.find(({ type }) => type === authType) ?? definition.authMethods[0];
        if (method?.fields.some(({ secret }) => secret))
          expect(faults.wrongCredentials, "wrong credentials").toBeDefined();
        expect(faults.unreachable, "an unreachable place").toBeDefined();
      });
    });
    describeReading(kit);
    describeWriting(kit);
    describeConditionalWriting(kit);
    describeErrors(kit);
  });
}
