/** Notifications of the end of an export, for the person who started it and may have left the page since. */
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { NotificationInput } from "../../../operations/notifications/index.ts";
import { readable } from "./export-file.ts";
import type { OwnedExport } from "./export-runs.store.ts";

const words = insights.exports;

const notification = ({ instanceId, id, datasetId, userId }: OwnedExport) => ({
  ...{ instanceId, userId, subject: `export ${id}` },
  link: `/insights-studio/datasets?exports=${datasetId}`,
});

export const completedNotification = (one: OwnedExport, rows: number): NotificationInput => ({
  ...notification(one),
  severity: "success",
  message: fill(words.ended.completed, { name: one.fileName }),
  detail: fill(rows === 1 ? words.rows_one : words.rows_other, { rows: readable(rows) }),
});

export const failedNotification = (one: OwnedExport, reason: string): NotificationInput => ({
  ...notification(one),
  severity: "error",
  message: fill(words.ended.failed, { name: one.fileName }),
  detail: reason,
});
