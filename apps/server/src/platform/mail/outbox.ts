/** Mail through an outbox: written first, then delivered by SMTP in the background, or kept where there is no SMTP. */
import { createTransport } from "nodemailer";
import { z } from "zod";
import type { Deps } from "../deps.ts";
import { defineJob } from "../jobs/jobs.ts";
import { mails } from "@accord/contracts/messages/en/mails";
import { fill } from "@accord/contracts/messages/fill";
import type { Mail, MailMessage, OneTimeLink } from "./mail.ts";
import { findMail, insertMail, type MailRow, updateMail } from "./mail.store.ts";

export const deliverMail = defineJob({
  name: "mail.deliver",
  data: z.strictObject({ mailId: z.string() }),
  retries: 8,
  retryDelay: 15,
});

type Needs = Pick<Deps, "appDb" | "clock" | "config" | "jobs" | "log" | "newId" | "secrets">;

export interface Outbox extends Mail {
  /** A stored mail, with `{{link}}` and `{{code}}` as places; `code` is what belongs there. */
  readBody(mail: Pick<MailRow, "id" | "organisation_id" | "body">): Promise<MailBody>;
  /** Registered at composition: who makes the links that mails carry. */
  onLink(createLink: (link: OneTimeLink) => Promise<{ address: string }>): void;
  startDelivering(): Promise<() => Promise<void>>;
}

const placeOf = (id: string, organisationId: string) => ({
  instanceId: organisationId,
  table: "mail",
  id,
  field: "body",
});
const Body = z.object({
  text: z.string(),
  html: z.string().nullable(),
  code: z.string().nullable().default(null),
  /** Of a mail that the outbox does not show; null: it does, and the subject stands beside. */
  hiddenSubject: z.string().nullable().default(null),
});
type MailBody = z.infer<typeof Body>;

export function outbox(deps: Needs): Outbox {
  const { appDb, clock, config, jobs, log, newId, secrets } = deps;
  const transport = config.smtpUrl ? createTransport(config.smtpUrl) : null;
  const from = `"Accord" <no-reply@${new URL(config.baseUrl).hostname}>`;

  let createLink = async (_: OneTimeLink): Promise<{ address: string }> => {
    throw new Error("nobody makes the links of mails");
  };

  const readBody: Outbox["readBody"] = async (mail) =>
    Body.parse(JSON.parse(await secrets.open(placeOf(mail.id, mail.organisation_id), mail.body)));

  async function send(message: MailMessage): Promise<void> {
    const id = message.id ?? newId<"mail">();
    const subject = oneLine(message.subject);
    const body: MailBody = {
      text: message.text,
      html: message.html ?? null,
      code: message.code ?? null,
      hiddenSubject: message.isHidden ? subject : null,
    };
    const isNew = await insertMail(appDb, {
      id,
      organisation_id: message.organisationId,
      instance_id: message.instanceId ?? null,
      kind: message.kind,
      recipient: oneLine(message.to),
      subject: message.isHidden ? mails.hidden.text : subject,
      body: await secrets.seal(placeOf(id, message.organisationId), JSON.stringify(body)),
      link_kind: message.link?.kind ?? null,
      link_user_id: message.link?.userId ?? null,
      status: transport ? "WAITING" : "KEPT",
      attempts: 0,
      error: null,
      created_at: clock.now(),
      sent_at: null,
    });
    // Whoever gives an id sends again what may have been lost: a server can end before there is a job.
    const isOpen = isNew || (await findMail(appDb, id))?.status === "WAITING";
    if (transport && isOpen) await jobs.send(deliverMail, { mailId: id });
  }

  /** As the recipient gets it. */
  async function filled(mail: MailRow): Promise<{ subject: string; text: string; html: string | null }> {
    const { text, html, code, hiddenSubject } = await readBody(mail);
    const subject = hiddenSubject ?? mail.subject;
    if (mail.link_kind && !mail.link_user_id) throw new Error("The person it was written to is gone.");
    const link = mail.link_kind && mail.link_user_id ? { kind: mail.link_kind, userId: mail.link_user_id } : null;
    const facts = { code, link: link && (await createLink(link)).address };
    return { subject, text: fill(text, facts), html: html === null ? null : fill(html, facts) };
  }

  async function deliver({ mailId }: { mailId: string }): Promise<void> {
    const mail = await findMail(appDb, mailId);
    if (!mail || !transport || mail.status === "SENT") return;
    try {
      const { subject, text, html } = await filled(mail);
      await transport.sendMail({ from, to: mail.recipient, subject, text, html: html ?? undefined });
      await updateMail(appDb, mailId, {
        status: "SENT",
        attempts: mail.attempts + 1,
        error: null,
        sent_at: clock.now(),
      });
    } catch (error) {
      log.warn({ err: error, mailId }, "a mail could not be delivered");
      const reason = error instanceof Error ? error.message : String(error);
      await updateMail(appDb, mailId, { status: "FAILED", attempts: mail.attempts + 1, error: reason.slice(0, 500) });
      throw error;
    }
  }

  return {
    send,
    readBody,
    onLink: (create) => (createLink = create),
    startDelivering: () => jobs.work(deliverMail, deliver),
  };
}

/** A line break in a header would start another header. */
const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, " ").trim();
