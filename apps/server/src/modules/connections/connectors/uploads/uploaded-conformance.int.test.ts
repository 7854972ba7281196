/** The conformance kit of connectors on uploaded files: CSV and XLSX, changed by uploading newer versions. */
import type { SystemUnderTest } from "@accord/connector-sdk/test-kit";
import { testConnector } from "@accord/connector-sdk/test-kit";
import { filesConnector } from "@accord/connectors";
import { workbookOf } from "@accord/connectors/test-systems/workbook";
import { afterAll, describe } from "vitest";
import { testApp } from "../../../../../test-kit/index.ts";
import { makeUploadsConnector, saveUpload } from "../../../../../test-kit/systems/uploads.ts";
import { uploadedFiles } from "./index.ts";

const t = await testApp({ roles: ["web", "worker"], realTime: true });
const manager = t.as("SYNC_MANAGER");
afterAll(() => t.close?.());

type Person = [id: number, name: string];

interface Format {
  name: string;
  entity: string;
  types: Record<string, "integer" | "string">;
  content(people: readonly Person[]): Buffer;
}

const CSV: Format = {
  name: "people.csv",
  entity: "people",
  types: { id: "integer", name: "string" },
  content: (people) => Buffer.from(`id;name\n${people.map(([id, name]) => `${id};"${name}"\n`).join("")}`),
};
const XLSX: Format = {
  name: "people.xlsx",
  entity: "people.People",
  types: { id: "integer", name: "string" },
  content: (people) => workbookOf({ People: [["id", "name"], ...people] }),
};

async function startUploads(format: Format): Promise<SystemUnderTest> {
  const { id: connectorId } = await makeUploadsConnector(manager, `Uploads ${t.deps.newId()}`);
  let people: Person[] = Array.from({ length: 30 }, (_, at) => [at + 1, `Person ${at + 1}`]);
  let last = 30;
  const upload = () => saveUpload(manager, connectorId, { name: format.name, content: format.content(people) });
  await upload();
  await saveUpload(manager, connectorId, { name: "nobody.csv", content: "id;name\n" });
  return {
    config: { place: "uploaded" },
    credentials: {},
    world: { uploadedFiles: uploadedFiles(t.deps.appDb, t.instanceId, connectorId) },
    entity: format.entity,
    seeded: 30,
    emptyEntity: "nobody",
    expected: { idField: "id", types: format.types },
    outside: {
      async create() {
        last += 1;
        people.push([last, `Added ${last}`]);
        await upload();
        return String(last);
      },
      async update(id) {
        last += 1;
        people = people.map(([of, name]) => [of, String(of) === id ? `Renamed ${last}` : name]);
        await upload();
      },
      async remove(id) {
        people = people.filter(([of]) => String(of) !== id);
        await upload();
      },
    },
    faults: { unreachable: { place: "folder", folder: "not-there" } },
    stop: async () => {},
  };
}

describe.each([
  ["CSV", CSV],
  ["XLSX", XLSX],
])("uploaded %s", (_, format) => {
  testConnector({ definition: filesConnector, start: () => startUploads(format) });
});
