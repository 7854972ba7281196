/** Conformance: what goes wrong is classified and says what to do; a closed connection leaves nothing behind. */
import { describe, expect, test } from "vitest";
import type { Connection } from "../connection.ts";
import { ConnectorError } from "../errors.ts";
import type { HttpRequest } from "../connector.ts";
import { notApplicable, type Kit } from "./kit.ts";
import { sendPlainly } from "./system.ts";

/** Time limits of requests to a host that is known to be silent pass so many times as fast: it may be one of 30 s. */
const HURRY = 30;
/** Milliseconds. */
const LIMITS = { shortest: 1_000, longest: 300_000 };

async function failureOf(connection: Connection): Promise<ConnectorError> {
  const error = await connection.check().then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectorError);
  return error as ConnectorError;
}

export function describeErrors(kit: Kit): void {
  describe("checks", () => {
    test("a good configuration succeeds", async () => {
      await kit.connect().check();
    });
    test("wrong credentials are told apart", async () => {
      const { wrongCredentials } = kit.system().faults;
      if (!wrongCredentials) return notApplicable("no credentials");
      const error = await failureOf(kit.connect({ credentials: wrongCredentials }));
      expect(error).toMatchObject({ kind: "authentication", retryable: false, hint: expect.any(String) });
      const secrets = kit.definition.authMethods.flatMap(({ fields }) => fields.filter((field) => field.secret));
      for (const { name } of secrets)
        if (wrongCredentials[name]) expect(error.message).not.toContain(wrongCredentials[name]);
    });
    test("a place where nothing listens is told, with what to check", async () => {
      const { unreachable } = kit.system().faults;
      if (!unreachable) return notApplicable("no place that can be unreachable");
      const error = await failureOf(kit.connect({ config: unreachable }));
      expect(["unreachable", "configuration"]).toContain(error.kind);
      expect(error.hint).toBeTruthy();
    });
    test("a host that never answers ends in a time-out", async () => {
      const { silent } = kit.system().faults;
      if (!silent) return notApplicable("no host");
      const send = kit.system().world?.send ?? sendPlainly;
      const limits: number[] = [];
      const hurried = (request: HttpRequest) => {
        limits.push(request.timeoutMs);
        return send({ ...request, timeoutMs: Math.ceil(request.timeoutMs / HURRY) });
      };
      const error = await failureOf(kit.connect({ config: silent, send: hurried }));
      expect(error).toMatchObject({ kind: "timeout", retryable: true });
      for (const ms of limits) {
        expect(ms).toBeGreaterThanOrEqual(LIMITS.shortest);
        expect(ms).toBeLessThanOrEqual(LIMITS.longest);
      }
    });
    test("a certificate nobody trusts is refused and named", async () => {
      const { untrustedCertificate } = kit.system().faults;
      if (!untrustedCertificate) return notApplicable("no certificate");
      expect(await failureOf(kit.connect({ config: untrustedCertificate }))).toMatchObject({
        kind: "certificate",
        retryable: false,
        hint: expect.any(String),
      });
    });
    test("closing twice is harmless", async () => {
      const connection = kit.connect();
      await connection.check();
      await connection.close();
      await connection.close();
    });
  });
  describe("reports", () => {
    test("too many calls: the wait the system asked for is handed on", async () => {
      const { rateLimitNext } = kit.system().faults;
      if (!rateLimitNext) return notApplicable("no limit of calls");
      await rateLimitNext(2000);
      const error = await failureOf(kit.connect());
      expect(error).toMatchObject({ kind: "rateLimited", retryable: true });
      expect(error.retryAfterMs).toBeGreaterThan(1000);
      expect(error.retryAfterMs).toBeLessThanOrEqual(3000);
    });
    test("a problem of the system's own is worth another try", async () => {
      const { failNext } = kit.system().faults;
      if (!failNext) return notApplicable("no problems of its own to provoke");
      await failNext();
      expect(await failureOf(kit.connect())).toMatchObject({ kind: "unavailable", retryable: true });
    });
  });
}
