/** A simulated system as the conformance kit takes it: its faults and addresses are the same for all of them. */
import type { SystemUnderTest } from "@accord/connector-sdk/test-kit";
import type { Values } from "@accord/contracts/data/values";
import { closedPort, silentPort } from "../tcp-faults.ts";
import type { VendorServer } from "./server.ts";

interface Facts extends Pick<SystemUnderTest, "credentials" | "entity" | "seeded" | "emptyEntity" | "expected"> {
  server: VendorServer;
  authType: NonNullable<SystemUnderTest["authType"]>;
  /** Settings beside the base address. */
  settings: Values;
  /** What the base address has behind the host. */
  basePath?: string;
  wrongCredentials: Record<string, string>;
  outside?: SystemUnderTest["outside"];
  writes?: SystemUnderTest["writes"];
  /** How the system says that there were too many calls; a 429 with Retry-After unless given. */
  rateLimitNext?: (waitMs: number) => void;
}

export async function systemUnderTest(facts: Facts): Promise<SystemUnderTest> {
  const { server, settings, basePath = "", wrongCredentials, rateLimitNext, ...rest } = facts;
  const at = (url: string): Values => ({ ...settings, baseUrl: url + basePath });
  const silent = await silentPort();
  return {
    ...rest,
    config: at(server.url),
    faults: {
      wrongCredentials,
      unreachable: at(`http://127.0.0.1:${await closedPort()}`),
      silent: at(`http://127.0.0.1:${silent.port}`),
      untrustedCertificate: at(server.secureUrl),
      async loseAnswers() {
        server.loseAnswers(true);
        return () => server.loseAnswers(false);
      },
      rateLimitNext: async (waitMs) =>
        rateLimitNext
          ? rateLimitNext(waitMs)
          : server.refuseNext({ status: 429, headers: { "retry-after": String(waitMs / 1000) } }),
      failNext: async () => server.refuseNext({ status: 503 }),
    },
    async stop() {
      await silent.stop();
      await server.stop();
    },
  };
}
