/** Complaints about a described entity: which input shows each, and what the server's say of the same. Pure. */
import type { FieldProblem } from "@accord/contracts";
import type { EntityDraft, PagedCallDraft } from "../http-entity.model.ts";

export type Problems = Readonly<Record<string, string>>;

/** The server's complaints by path within the entity that was sent at this place; those about others keep their path. */
export function problemsWithin(problems: readonly FieldProblem[], at: number): Problems {
  const own = new RegExp(`^(config\\.)?entities\\.${at}\\.`);
  return Object.fromEntries(problems.map(({ path, message }) => [path.replace(own, ""), message]));
}

const ALWAYS =
  /^(displayName|apiName|idField|timeZone|list\.(path|recordSelector|leaveOutSelector)|fields\.\d+\.(displayName|dataType|writePath))$/;

const isShownOfCall = (call: PagedCallDraft | null | undefined, name: string): boolean => {
  if (!call) return false;
  if (name === "body") return call.method === "POST";
  if (/^stop\.(hasMoreSelector|totalSelector|maxRecords)$/.test(name)) return (call.paging?.kind ?? "none") !== "none";
  return /^(path|recordSelector|paging\.(\w*(Param|Selector)|param|size|firstPage))$/.test(name);
};

const ACTION = /^(getById|create|update|delete)\.(path|recordSelector|recordPath|body|idempotencyHeader)$/;

/** Whether an input on screen shows what is wrong at this path. */
export function isShown(draft: EntityDraft, path: string): boolean {
  if (ALWAYS.test(path)) return true;
  if (path === "list.changes") return Boolean(draft.list.watermark ?? draft.list.changes);
  if (path.startsWith("list.changes.")) return isShownOfCall(draft.list.changes, path.slice("list.changes.".length));
  if (/^list\.watermark\.(param|format|overlapSeconds)$/.test(path)) return Boolean(draft.list.watermark);
  if (path.startsWith("list.")) return isShownOfCall(draft.list, path.slice("list.".length));
  const [, action, input] = ACTION.exec(path) ?? [];
  if (action === "getById") return Boolean(draft.getById) && /^(path|recordSelector)$/.test(input ?? "");
  if (action === "delete") return Boolean(draft.delete) && input === "path";
  if (action === "create") return Boolean(draft.create);
  if (action === "update") return Boolean(draft.update) && input !== "idempotencyHeader";
  if (path === "concurrency") return Boolean(draft.update ?? draft.delete);
  return /^concurrency\.(field|name)$/.test(path) && draft.concurrency?.kind === "versionField";
}
