/** Checks, describes and reads the tables of a place, wherever its files are. */
import { ConnectorError, type ConnectContext, type Connection } from "@accord/connector-sdk";
import type { TextRules } from "./cells.ts";
import { describeTable } from "./describe.ts";
import type { FileSource } from "./formats/format.ts";
import { releaseReader } from "./formats/index.ts";
import { listIds } from "./list-ids.ts";
import type { Place } from "./places/place.ts";
import { readFiles, type Reading } from "./read.ts";
import { isOfFile, mayHold, Tables } from "./tables.ts";

/** A connection that only reads. `rulesOf`: how the texts of an entity's files are read. */
export function readTables(
  context: ConnectContext,
  place: Place,
  rulesOf: (entity: string) => TextRules,
): Required<Pick<Connection, "check" | "discover" | "read" | "listIds" | "close">> {
  const tables = new Tables(place);
  const owner = {};
  const sourcesOf = async (entity: string): Promise<readonly FileSource[]> => {
    const { entities, problems } = await tables.list();
    const sources = entities.get(entity);
    if (sources) return sources;
    throw (
      problems.find((problem) => mayHold(problem, entity))?.error ??
      new ConnectorError("schemaChanged", `There is no file or folder ${entity} any more in ${await place.label()}.`, {
        hint: "Put it back, or refresh the connector's schema.",
      })
    );
  };
  const checkpoint = (): void => context.signal.throwIfAborted();
  const readingOf = (entity: string): Reading => ({ settings: rulesOf(entity), owner });
  const leaveOut = ({ message }: ConnectorError, name: string): void =>
    context.log("warn", "a table can't be read, and is left out", { table: name, problem: message });
  return {
    async check() {
      const { entities, problems } = await tables.list();
      for (const { error, file } of problems) leaveOut(error, file);
      if (entities.size > 0) return;
      if (problems[0]) throw problems[0].error;
      throw new ConnectorError(
        "configuration",
        `There are no CSV, JSON Lines or XLSX files in ${await place.label()}.`,
        { hint: place.hintWhenEmpty },
      );
    },
    async *discover({ only }) {
      const { entities, problems } = await tables.list();
      const found = [...entities].filter(([name]) => !only || only.includes(name));
      let problem = problems.find((one) => !only || only.some((name) => mayHold(one, name)))?.error;
      let isAnyRead = false;
      for (const [at, [name, sources]] of found.entries()) {
        const entity = await describeTable(name, sources, rulesOf(name), checkpoint).catch((error: unknown) => {
          if (!isOfFile(error)) throw error;
          leaveOut(error, name);
          problem ??= error;
        });
        if (!entity) continue;
        isAnyRead = true;
        yield { entity, done: at + 1, total: found.length };
      }
      // One table that can't be read keeps nobody from the others.
      if (problem && !isAnyRead) throw problem;
    },
    async read(request) {
      const { apiName } = request.entity;
      return readFiles(await sourcesOf(apiName), readingOf(apiName), request);
    },
    async listIds(request) {
      const { apiName } = request.entity;
      return listIds(await sourcesOf(apiName), readingOf(apiName), request);
    },
    close: () => releaseReader(owner),
  };
}
