/** The operator's switch for statements in SQL: who may write them can make the database work hard for everybody. */
import { AppError } from "../../../platform/http/app-error.ts";

/** @throws AppError("dataset_invalid") while it is off. */
export function demandSqlMode(isOn: boolean): void {
  if (isOn) return;
  throw new AppError("dataset_invalid", {
    reason: "SQL mode is switched off. The operator of this server can switch it on (ACCORD_SQL_MODE=1).",
  });
}
