/** Servers that start at the same time on databases that do not exist yet: all of them serve, one installation is there. */
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { ServerProcesses } from "../test-kit/server-processes.ts";
import { testClusterUrl } from "../test-kit/database/test-cluster.ts";

const ROUNDS = 2;
const SERVERS = 4;
const LONG_TIMEOUT = { timeout: 400_000 };

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}

for (const [password, title] of [
  [undefined, "with a password made by itself"],
  ["a password of twelve", "with the operator's password"],
] as const) {
  test(`four servers that start at once on empty databases make one installation, ${title}`, LONG_TIMEOUT, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const name = `x_${process.pid}_first_${password ? "given" : "made"}_${round}`;
      const appUrl = await testClusterUrl(name);
      const settings: Record<string, string> = password ? { ACCORD_ADMIN_PASSWORD: password } : {};
      const dataUrl = await testClusterUrl(`${name}_data`);
      const processes = new ServerProcesses({ appUrl, dataUrl, settings });
      onTestFinished(async () => {
        await processes.killAll();
        const admin = await testClusterUrl("postgres");
        for (const one of [name, `${name}_data`]) await query(admin, `DROP DATABASE IF EXISTS ${one} WITH (FORCE)`);
      });
      const servers = Array.from({ length: SERVERS }, () => processes.start());
      for (const server of servers) await server.ready;
      const passwords = servers.filter((server) => server.output().includes("password (shown this once)"));
      expect(passwords).toHaveLength(password ? 0 : 1);
      const [counted] = await query(
        appUrl,
        `SELECT (SELECT count(*) FROM app_user)::int AS users, (SELECT count(*) FROM organisation)::int AS organisations,
                (SELECT count(*) FROM instance WHERE status <> 'DELETED')::int AS instances,
                (SELECT password_untold FROM installation) AS untold`,
      );
      expect(counted).toEqual({ users: 1, organisations: 1, instances: 1, untold: false });
      await processes.killAll();
    }
  });
}
