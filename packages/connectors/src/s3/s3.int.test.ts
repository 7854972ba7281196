/** The conformance kit on object storage that checks signatures. */
import { testConnector, type SystemUnderTest } from "@accord/connector-sdk/test-kit";
import { createServer, type AddressInfo, type Server } from "node:net";
import { describe } from "vitest";
import { startS3Server, type S3Server } from "../../test-systems/s3-server.ts";
import { KEY, settingsOf } from "./bucket.fixtures.ts";
import { s3Connector } from "./index.ts";

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const line = (id: number, name: string): string => `${id},"${name}, ""the ${id}""",1990-02-01,${id}.5,true\r\n`;

/** The storage says once that it has a problem. */
const refuseOnce = (server: S3Server, status: number, code: string, headers: Record<string, string> = {}): void => {
  server.refuse = () => {
    server.refuse = () => null;
    return { status, code, message: "Please try again.", headers };
  };
};

async function startSystem(): Promise<SystemUnderTest> {
  const server = await startS3Server(KEY);
  const silent = createServer((socket) => void socket.on("error", () => {}));
  const silentPort = await portOf(silent);
  const closed = createServer();
  const closedPort = await portOf(closed);
  closed.close();
  const head = "id,name,born,weight,member\r\n";
  let rows = Array.from({ length: 30 }, (_, at) => line(at + 1, `Person ${at + 1}`));
  const save = (): void => server.put("people.csv", head + rows.join(""));
  const rewrite = async (id: string, next: string): Promise<void> => {
    rows = rows.map((row) => (row.startsWith(`${id},`) ? next : row));
    save();
  };
  save();
  server.put("nobody.csv", "id;name\n");
  let last = 30;
  const { config, credentials } = settingsOf(server);
  return {
    ...{ config, credentials, entity: "people", seeded: 30, emptyEntity: "nobody" },
    expected: {
      idField: "id",
      types: { id: "integer", name: "string", born: "date", weight: "double", member: "boolean" },
    },
    outside: {
      async create() {
        last += 1;
        rows.push(line(last, `Added ${last}`));
        save();
        return String(last);
      },
      update: (id) => rewrite(id, line(Number(id), `Renamed to ${(last += 1)}`)),
      remove: (id) => rewrite(id, ""),
    },
    faults: {
      wrongCredentials: { ...KEY, secretAccessKey: "another secret of this key" },
      unreachable: { ...config, endpoint: `http://127.0.0.1:${closedPort}` },
      silent: { ...config, endpoint: `http://127.0.0.1:${silentPort}` },
      rateLimitNext: async (waitMs) =>
        refuseOnce(server, 503, "SlowDown", { "retry-after": String(Math.ceil(waitMs / 1000)) }),
      failNext: async () => refuseOnce(server, 500, "InternalError"),
    },
    async stop() {
      silent.close();
      await server.stop();
    },
  };
}

describe("storage that checks signatures", () => {
  testConnector({ definition: s3Connector, start: startSystem });
});
