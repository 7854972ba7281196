/** DuckDB by itself, in this process: what the mirror is measured beside. */
import { DuckDBInstance } from "@duckdb/node-api";

export interface RawDuckDb {
  run(statement: string): Promise<void>;
  rows(statement: string): Promise<unknown[]>;
  close(): void;
}

export async function openRawDuckDb(file: string, memoryMb: number): Promise<RawDuckDb> {
  const instance = await DuckDBInstance.create(file, { memory_limit: `${memoryMb}MB`, threads: "2" });
  const connection = await instance.connect();
  return {
    run: async (statement) => void (await connection.run(statement)),
    rows: async (statement) => (await connection.runAndReadAll(statement)).getRowObjectsJson(),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
