/** The outbox for administrators: what was mailed, and the text where no mail server is connected. */
import * as contract from "@accord/contracts/operations/mails";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { findMail, listMail, type MailRow } from "../../../platform/mail/mail.store.ts";
import type { Outbox } from "../../../platform/mail/outbox.ts";
import { route, type Module } from "../../../platform/module.ts";

/** Mails that sign somebody in: only for those who could give themselves these rights anyway. */
const SIGN_IN_KINDS: ReadonlySet<string> = new Set(["invitation", "passwordReset"]);

export function mailsModule({ appDb }: Deps, { outbox }: { outbox: Outbox }): Module {
  /** Instance administrators see the mails of their instance, and none that opens somebody's account. */
  const seesAll = (ctx: Ctx) => ctx.can("ADD_INSTANCE");
  const maySee = (ctx: Ctx, mail: MailRow) =>
    mail.organisation_id === ctx.organisationId &&
    (seesAll(ctx) || (mail.instance_id === ctx.instanceId && !SIGN_IN_KINDS.has(mail.kind)));

  return {
    name: "operations/mails",
    routes: [
      route(contract.listMails, async (ctx, { query }) => {
        const rows = await listMail(appDb, {
          organisationId: ctx.organisationId,
          instanceId: seesAll(ctx) ? null : ctx.instanceId,
          before: query.cursor ?? null,
          limit: query.count + 1,
        });
        const page = rows.slice(0, query.count);
        const nextCursor = rows.length > query.count ? (page.at(-1)?.id ?? null) : null;
        const mails = page.filter((row) => maySee(ctx, row)).map(toMail);
        return { mails, pageInfo: { nextCursor, previousCursor: null } };
      }),
      route(contract.getMail, async (ctx, { params }) => {
        const row = await findMail(appDb, params.mailId);
        if (!row || !maySee(ctx, row)) throw new AppError("not_found", { what: "Mail" });
        return { ...toMail(row), ...(await outbox.readBody(row)) };
      }),
    ],
    startWorker: () => outbox.startDelivering(),
  };
}

function toMail(row: MailRow): contract.Mail {
  return {
    id: row.id as contract.Mail["id"],
    kind: row.kind,
    to: row.recipient,
    subject: row.subject,
    status: row.status,
    error: row.error,
    createdAt: String(row.created_at),
    sentAt: row.sent_at === null ? null : String(row.sent_at),
  };
}
