/** A file with lines that can't be used: they wait with their reasons, and are read again the moment somebody asks. */
import type { ConnectContext } from "@accord/connector-sdk";
import { filesConnector } from "@accord/connectors";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENTITY, INSTANCE, oneByOne } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { eventually, inWorkingWorld } from "../../../../../../test-kit/sync-world/working-world.ts";
import type { RunsDependencies } from "../../worker/plans.ts";

const DAY = new Date("2026-05-06T07:08:09Z");
let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "accord-lines-"))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Saved with an old time: where the size stays too, a reading by itself sees nothing new. */
function save(lines: readonly string[]): void {
  const path = join(folder, "contact.csv");
  writeFileSync(path, `id,email,phone\n${lines.join("\n")}\n`);
  utimesSync(path, DAY, DAY);
}

/** System `a` is a folder of files, read only, and keeps phones as whole numbers. */
function withFiles(needs: RunsDependencies): RunsDependencies {
  const { connectors, pipelines } = needs;
  const files: RunsDependencies = {
    ...needs,
    pipelines: {
      ...pipelines,
      async publishedVersion(at, entityId) {
        const version = await pipelines.publishedVersion(at, entityId);
        if (!version) return null;
        const { nodes, edges } = version.graph;
        const sinks = nodes.filter(
          ({ nodeType, configuration }) => nodeType === "ENTITY_SINK" && configuration.connectorId === "a",
        );
        const isSink = (id: string): boolean => sinks.some((sink) => sink.id === id);
        const graph = {
          ...version.graph,
          nodes: nodes.filter(({ id }) => !isSink(id)),
          edges: edges.filter((edge) => !isSink(edge.source.nodeId) && !isSink(edge.destination.nodeId)),
        };
        return { ...version, graph };
      },
    },
    connectors: {
      ...connectors,
      async entitySchema(at, id, entity) {
        const facts = await connectors.entitySchema(at, id, entity);
        if (!facts || id !== "a") return facts;
        const fields = facts.schema.fields.map((field) =>
          field.apiName === "phone" ? { ...field, dataType: "integer" as const } : field,
        );
        return { ...facts, capabilities: filesConnector.capabilities, schema: { ...facts.schema, fields } };
      },
      findPlaces: (...call) => oneByOne(files.connectors, ...call),
      openConnection: async (at, id, options) =>
        id === "a" ? filesConnector.connect(contextOf()) : connectors.openConnection(at, id, options),
    },
  };
  return files;
}

function contextOf(): ConnectContext {
  const notOffered = (): never => {
    throw new Error("files need no network");
  };
  return {
    config: { folder },
    authType: "none",
    credentials: {},
    send: notOffered,
    resolveHost: notOffered,
    resolveFolder: async (path) => path,
    now: () => DAY,
    sleep: async () => {},
    signal: new AbortController().signal,
    log: () => {},
  };
}

test("a bad line of a file is read afresh when somebody tries it again, by its id or by where it stands", () =>
  inWorkingWorld(async ({ pool, service, person, startWorker, stopWorker }) => {
    save(["1,a@example.com,11", "2,b@example.com,??", ",cc@example.com,33", "4,d@example.com,??"]);
    const list = () => service.quarantine(person, ENTITY, { count: 10, direction: "next" });
    await startWorker();
    const { entries } = await eventually("the entries", async () => {
      const found = await list();
      return found.entries.length === 3 ? found : undefined;
    });
    expect(entries.map(({ externalId, code }) => [externalId, code])).toEqual(
      expect.arrayContaining([
        ["2", "unreadable"],
        ["contact.csv, line 4", "unreadable"],
        ["4", "unreadable"],
      ]),
    );
    // As long as nobody fixed anything, asking finds the same.
    expect(await service.replay(person, ENTITY, {})).toEqual({ replayed: 0, cleared: 0, unreadable: 3 });
    await stopWorker();

    save(["1,a@example.com,11", "2,b@example.com,22", "3,c@example.com,33", "4,d@example.com,??"]);
    expect(await service.replay(person, ENTITY, {})).toEqual({ replayed: 2, cleared: 0, unreadable: 1 });
    await startWorker();
    await eventually("the mended lines", async () => {
      const { rows } = await pool.query(`SELECT email, phone FROM "i_${INSTANCE}"."r_Contact" ORDER BY email`);
      return rows.length === 3
        ? (expect(rows.map(({ phone }) => phone)).toEqual(["11", "22", "33"]) ?? true)
        : undefined;
    });
    await eventually("an end of it", async () => ((await list()).open === 1 ? true : undefined));
    await stopWorker();

    save(["1,a@example.com,11", "2,b@example.com,22", "3,c@example.com,33"]);
    expect(await service.replay(person, ENTITY, {})).toEqual({ replayed: 0, cleared: 1, unreadable: 0 });
    expect((await list()).open).toBe(0);
  }, withFiles));
