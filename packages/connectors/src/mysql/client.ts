/** The connections to one MySQL or MariaDB server: guarded address, time limits, text values, and errors classified. */
import { ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import { z } from "zod";
import type { MysqlConfig } from "./config.ts";
import { classifyMysqlError } from "./errors.ts";
import { killSession, openSession, type ServerFacts, type Session } from "./session.ts";

/** Rows come as arrays of text, as the server wrote them: the column's type decides what they become. */
export type TextRow = (string | null)[];
/** What a placeholder stands for. */
export type SqlValue = string | bigint | number | Buffer | null;

export interface Answer {
  rows: TextRow[];
  /** The id that the table gave to a new row; "0" where it gave none. */
  insertId: string;
  /** Rows that a change was about, whether it made them different or not. */
  affectedRows: number;
}

export interface MysqlClient {
  /** Aborting `signal` cancels the statement at the server. */
  query(sql: string, values?: readonly SqlValue[], signal?: AbortSignal): Promise<TextRow[]>;
  /** Several statements on one connection: committed when `work` answers, undone when it throws. */
  transaction<T>(work: (session: MysqlSession) => Promise<T>, signal?: AbortSignal): Promise<T>;
  facts(): Promise<ServerFacts>;
  /** Waits for statements under way. What is asked afterwards fails: nobody would close what it opens. */
  close(): Promise<void>;
}

export interface MysqlSession {
  readonly facts: ServerFacts;
  run(sql: string, values?: readonly SqlValue[]): Promise<Answer>;
  /** Called right before the transaction is committed; what it throws undoes it. */
  beforeCommit(check: () => void): void;
}

/** A transaction was being committed when the line broke: it may have been done. */
export class CommitUnknownError extends Error {
  override readonly name = "CommitUnknownError";
}

/** Beyond the server's own statement limit: the server or the line is gone. */
const GRACE_MS = 5_000;
const MAX_CONNECTIONS = 4;
const IDLE_MS = 30_000;

interface Opened extends Session {
  isBroken: boolean;
  idleTimer?: NodeJS.Timeout;
}

/** Nothing is called before the first query. */
export function openClient(context: ConnectContext, config: MysqlConfig): MysqlClient {
  const place = `${config.host}:${config.port}`;
  const idle: Opened[] = [];
  const waiting: (() => void)[] = [];
  let inUse = 0;
  let isClosed = false;
  let drained: (() => void) | null = null;

  const open = async (): Promise<Opened> => {
    const session = await openSession(context, config);
    const opened: Opened = { ...session, isBroken: false };
    // Whoever is using it learns of it from its own statement.
    const broken = (): void => void (opened.isBroken = true);
    session.connection.on("error", broken);
    session.connection.on("end", broken);
    return opened;
  };
  const end = (opened: Opened): void => {
    clearTimeout(opened.idleTimer);
    if (opened.isBroken) return opened.destroy();
    opened.connection.end(() => {});
    // A server that says nothing would keep the line open.
    setTimeout(opened.destroy, GRACE_MS).unref();
  };
  const acquire = async (): Promise<Opened> => {
    while (inUse >= MAX_CONNECTIONS) await new Promise<void>((resolve) => waiting.push(resolve));
    if (isClosed)
      throw new ConnectorError("unavailable", `The connection to ${place} was closed.`, { neverSent: true });
    inUse += 1;
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.idleTimer);
      if (!found.isBroken) return found;
      end(found);
    }
    try {
      return await open();
    } catch (error) {
      freed();
      const { kind, message, hint, cause } = classifyMysqlError(error, place);
      throw new ConnectorError(kind, message, { hint, cause, neverSent: true });
    }
  };
  const freed = (): void => {
    inUse -= 1;
    waiting.shift()?.();
    if (inUse === 0) drained?.();
  };
  const release = (opened: Opened): void => {
    if (opened.isBroken || isClosed) end(opened);
    else {
      opened.idleTimer = setTimeout(() => {
        idle.splice(idle.indexOf(opened), 1);
        end(opened);
      }, IDLE_MS).unref();
      idle.push(opened);
    }
    freed();
  };
  /** Its connection may still be at work, for nobody, or hold rows locked: it ends at the server, and so does all of that. */
  const cancel = (opened: Opened): void => {
    opened.isBroken = true;
    opened.destroy();
    const { threadId } = opened.connection;
    if (threadId !== null) killSession(context, config, threadId).catch(() => {});
  };

  const during = (opened: Opened, signal: AbortSignal | undefined, sql: string, values: readonly SqlValue[]) =>
    new Promise<Answer>((resolve, reject) => {
      const fail = (error: ConnectorError): void => {
        settle();
        cancel(opened);
        reject(error);
      };
      const abort = (): void => fail(new ConnectorError("unavailable", "The call was cancelled."));
      const timer = setTimeout(
        () =>
          fail(
            new ConnectorError("timeout", `${place} did not answer in time.`, {
              hint: "Allow longer statements in Advanced.",
            }),
          ),
        config.statementSeconds * 1000 + GRACE_MS,
      );
      const settle = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      signal?.addEventListener("abort", abort, { once: true });
      opened.connection.query({ sql, values: [...values], rowsAsArray: true, typeCast: asText }, (error, result) => {
        settle();
        if (!error) return resolve(answerOf(result));
        const classified = classifyMysqlError(error, place);
        if (error.fatal || classified.kind === "unreachable") opened.isBroken = true;
        reject(classified);
      });
    });

  const cancelled = (signal: AbortSignal | undefined): void => {
    if (signal?.aborted) throw new ConnectorError("unavailable", "The call was cancelled.", { neverSent: true });
  };

  return {
    async query(sql, values = [], signal) {
      cancelled(signal);
      const opened = await acquire();
      try {
        cancelled(signal);
        return (await during(opened, signal, sql, values)).rows;
      } finally {
        release(opened);
      }
    },
    async transaction(work, signal) {
      cancelled(signal);
      const opened = await acquire();
      const run: MysqlSession["run"] = (sql, values = []) => {
        cancelled(signal);
        return during(opened, signal, sql, values);
      };
      let check = (): void => {};
      try {
        await run("START TRANSACTION");
        const result = await work({ facts: opened.facts, run, beforeCommit: (given) => void (check = given) });
        check();
        await during(opened, signal, "COMMIT", []).catch((error: ConnectorError) => {
          throw new ConnectorError(error.kind, error.message, { hint: error.hint, cause: commitFailure(error) });
        });
        return result;
      } catch (error) {
        // A connection that can't undo is given up: the server undoes it then.
        if (!opened.isBroken)
          await during(opened, undefined, "ROLLBACK", []).catch(() => void (opened.isBroken = true));
        throw error;
      } finally {
        release(opened);
      }
    },
    async facts() {
      const opened = await acquire();
      release(opened);
      return opened.facts;
    },
    async close() {
      isClosed = true;
      for (const opened of idle.splice(0)) end(opened);
      if (inUse > 0) await new Promise<void>((resolve) => (drained = resolve));
      for (const wake of waiting.splice(0)) wake();
    },
  };
}

/** What the server itself said of a commit was not done; anything else may have been. */
const commitFailure = (error: ConnectorError): unknown =>
  error.cause instanceof Error && "sqlState" in error.cause
    ? error.cause
    : new CommitUnknownError(error.message, { cause: error.cause });

const asText = (field: { buffer(): Buffer | null }): string | null => field.buffer()?.toString("utf8") ?? null;

const Header = z
  .object({ insertId: z.union([z.number(), z.string()]), affectedRows: z.number() })
  .catch({ insertId: "0", affectedRows: 0 });

function answerOf(result: unknown): Answer {
  if (isRows(result)) return { rows: result, insertId: "0", affectedRows: 0 };
  const { insertId, affectedRows } = Header.parse(result);
  return { rows: [], insertId: String(insertId), affectedRows };
}

/** `asText` and `rowsAsArray` see to what they are. */
const isRows = (result: unknown): result is TextRow[] => Array.isArray(result);
