/** The audit log: who changed what in the administration, and when. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { cursorQuery, PageInfo } from "../paging.ts";

export const AuditEntry = z.strictObject({
  id: z.string(),
  at: z.string(),
  user: z.strictObject({ id: id("user").nullable(), email: z.string() }),
  instanceId: id("instance").nullable(),
  /** Name of the endpoint: `changeUserRoles`. */
  action: z.string(),
  target: z.strictObject({ kind: z.string().nullable(), id: z.string().nullable(), name: z.string().nullable() }),
  details: z.json().nullable(),
  address: z.string(),
  requestId: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const listAuditEntries = endpoint({
  name: "listAuditEntries",
  method: "GET",
  path: "/audit-log",
  access: "LIST_USERS",
  scope: "organisation",
  summary: "Changes of the administration, newest first.",
  query: cursorQuery({ count: 50, max: 200 }),
  reply: z.strictObject({ entries: z.array(AuditEntry), pageInfo: PageInfo }),
});
