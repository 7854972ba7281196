/** The outbox for administrators: what was mailed. Links and codes that let somebody in are not part of it. */
import { id } from "@accord/contracts";
import { mails as words } from "@accord/contracts/messages/en/mails";
import { fill } from "@accord/contracts/messages/fill";
import * as contract from "@accord/contracts/operations/mails";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { findMail, listMail, type MailRow } from "../../../platform/mail/mail.store.ts";
import type { Outbox } from "../../../platform/mail/outbox.ts";
import { route, type Module } from "../../../platform/module.ts";

/** Mails about signing in belong to the organisation. */
const SIGN_IN_KINDS: ReadonlySet<string> = new Set(["invitation", "passwordReset"]);
/** Links in mails that were written while texts still held them. */
const WRITTEN_LINK = /https?:\/\/\S+(?:\/resetpassword\?token=|\/setpassword\/)\S+/g;

export function mailsModule({ appDb }: Deps, { outbox }: { outbox: Outbox }): Module {
  /** Administrators of an instance see the mails of their instance. */
  const maySee = (ctx: Ctx, mail: MailRow) =>
    mail.organisation_id === ctx.organisationId &&
    (ctx.isOrganisationAdmin || (mail.instance_id === ctx.instanceId && !SIGN_IN_KINDS.has(mail.kind)));

  /**
   * A guest's code, where no mail server brings it to the guest: for those who may share the dashboard, and so could let
   * anybody in. Mails of other instances are seen by the organisation's administrators alone, who may share in each.
   */
  const maySeeCode = (ctx: Ctx, mail: MailRow) => mail.status === "KEPT" && ctx.can("SHARE_DASHBOARD");

  async function readable(ctx: Ctx, mail: MailRow): Promise<{ text: string; html: string | null }> {
    const { text, html, code, hiddenSubject } = await outbox.readBody(mail);
    if (hiddenSubject !== null) return { text: words.hidden.text, html: null };
    const { link, code: hiddenCode } = words.hidden;
    const show = (part: string) =>
      fill(part.replace(WRITTEN_LINK, link), { link, code: maySeeCode(ctx, mail) ? code : hiddenCode });
    const isPlain = code === null && mail.link_kind === null && !SIGN_IN_KINDS.has(mail.kind);
    return isPlain ? { text, html } : { text: show(text), html: html === null ? null : show(html) };
  }

  return {
    name: "operations/mails",
    routes: [
      route(contract.listMails, async (ctx, { query }) => {
        const rows = await listMail(appDb, {
          organisationId: ctx.organisationId,
          instanceId: ctx.isOrganisationAdmin ? null : ctx.instanceId,
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
        return { ...toMail(row), ...(await readable(ctx, row)), linkFor: userId.nullable().parse(row.link_user_id) };
      }),
    ],
    startWorker: () => outbox.startDelivering(),
  };
}

const userId = id("user");

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
