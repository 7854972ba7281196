/** A folder of workbooks for tests, empty before each, read through the files connector. */
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
import { filesConnector } from "../../index.ts";

export function workbookFolder() {
  const makeFolder = (): string => mkdtempSync(join(tmpdir(), "accord-xlsx-"));
  let root = makeFolder();
  beforeEach(() => {
    rmSync(root, { recursive: true });
    root = makeFolder();
  });
  afterAll(() => rmSync(root, { recursive: true }));

  const connect = () =>
    connectTo(filesConnector, {
      config: { place: "folder" },
      credentials: {},
      world: { resolveFolder: async () => root },
    });
  return {
    connect,
    put: (name: string, bytes: Buffer): void => writeFileSync(join(root, name), bytes),
    remove: (name: string): void => rmSync(join(root, name)),
    /** Entity and first page of a sheet. */
    async readAll(name: string) {
      const connection = connect();
      const entity = await entityNamed(connection, name);
      const request = { entity, fields: fieldNames(entity), cursor: null, mode: "all" as const, pageSize: 100 };
      const page = await connection.read(request);
      await connection.close();
      return { entity, ...page };
    },
  };
}
