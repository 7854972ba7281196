/** The outbox: mails the product wrote, readable by administrators where no mail server is connected. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { cursorQuery, PageInfo } from "../paging.ts";

export const Mail = z.strictObject({
  id: id("mail"),
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  /** KEPT: no mail server is connected; it can only be read here. */
  status: z.enum(["WAITING", "SENT", "KEPT", "FAILED"]),
  error: z.string().nullable(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
});
export type Mail = z.infer<typeof Mail>;

export const listMails = endpoint({
  name: "listMails",
  method: "GET",
  path: "/mails",
  access: "READ_OUTBOX",
  scope: "organisation",
  summary: "Mails of the organisation, newest first; without their texts.",
  query: cursorQuery({ count: 50, max: 200 }),
  reply: z.strictObject({ mails: z.array(Mail), pageInfo: PageInfo }),
});

export const getMail = endpoint({
  name: "getMail",
  method: "GET",
  path: "/mails/:mailId",
  access: "READ_OUTBOX",
  scope: "organisation",
  summary:
    "One mail with its text. Links and codes that let somebody in are left out; codes are shown to those who share.",
  params: z.strictObject({ mailId: id("mail") }),
  reply: Mail.extend({
    text: z.string(),
    html: z.string().nullable(),
    /** The person whose one-time link it carries: `createOneTimeLink` makes another one to hand over. */
    linkFor: id("user").nullable(),
  }),
});
