/** What people see of trying a connection: how long it took, and what is wrong. */
import type { Connection } from "@accord/connector-sdk";
import type { CheckResult } from "@accord/contracts/connections/connectors";
import type { Clock } from "../../../platform/clock.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { problemOf } from "./entities/schema-refresh.ts";

type Checked = Pick<Connection, "check" | "close">;

/** The connection is closed at the end. */
export async function checkOf(clock: Pick<Clock, "monotonicMs">, open: () => Promise<Checked>): Promise<CheckResult> {
  const began = clock.monotonicMs();
  const took = (): number => Math.round(clock.monotonicMs() - began);
  try {
    const connection = await open();
    try {
      await connection.check();
    } finally {
      await connection.close();
    }
    return { ok: true, durationMs: took(), problem: null };
  } catch (error) {
    if (error instanceof AppError) throw error;
    return { ok: false, durationMs: took(), problem: problemOf(error) };
  }
}
