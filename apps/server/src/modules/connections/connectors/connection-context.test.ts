/** Connectors with a protocol of their own go out through the same rules as calls over HTTP. */
import { postgresConnector } from "@accord/connectors";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../../config.ts";
import { makeLog } from "../../../platform/log/log.ts";
import { type Lookup, outbound } from "../../../platform/outbound/guard.ts";
import { systemClock } from "../../../platform/clock.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { connectContext } from "./connection-context.ts";

const systemNewId = makeNewId(systemClock);
let server: Server;
let connections = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

/** Each time the name is asked for, the next address. */
const answering = (...addresses: string[]): Lookup =>
  ((_name: string, _options: object, done: (...answer: unknown[]) => void) => {
    const address = (addresses.length > 1 ? addresses.shift() : addresses[0]) ?? "";
    done(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
  }) as Lookup;

async function connectTo(lookup: Lookup) {
  const { port } = server.address() as AddressInfo;
  const out = outbound({ allow: ["db.internal"], lookup });
  const log = makeLog({ logLevel: "silent" });
  const context = connectContext(
    { outbound: out, config: readConfig({}), clock: systemClock, log },
    {
      instanceId: systemNewId(),
      type: postgresConnector,
      config: { host: "db.internal", port, database: "shop", encryption: "none" },
      authType: "userPassword",
      credentials: { username: "reader", password: "secret" },
    },
    AbortSignal.timeout(10_000),
  );
  const connection = postgresConnector.connect(context);
  const check = () => connection.check().catch((error: { kind: string }) => error);
  return { check, close: async () => (await connection.close(), await out.close()) };
}

test("an allowed name that leads to a control address is refused, and nothing is connected to", async () => {
  for (const address of ["169.254.169.254", "fd00:ec2::254", "64:ff9b::169.254.169.254"]) {
    const { check, close } = await connectTo(answering(address));
    expect(await check()).toMatchObject({ kind: "outboundRefused", neverSent: true });
    await close();
  }
});

test("a database is connected to at the address that was checked, whatever the name answers next", async () => {
  connections = 0;
  const { check, close } = await connectTo(answering("127.0.0.1", "169.254.169.254"));
  expect(await check()).toMatchObject({ kind: expect.not.stringMatching("outboundRefused") });
  expect(connections).toBeGreaterThan(0);
  await close();
});
