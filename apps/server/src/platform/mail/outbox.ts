/** Mail through an outbox: written first, then delivered by SMTP in the background, or kept where there is no SMTP. */
import { createTransport } from "nodemailer";
import { z } from "zod";
import type { Deps } from "../deps.ts";
import { defineJob } from "../jobs/jobs.ts";
import type { Mail, MailMessage } from "./mail.ts";
import { findMail, insertMail, updateMail } from "./mail.store.ts";

export const deliverMail = defineJob({
  name: "mail.deliver",
  data: z.strictObject({ mailId: z.string() }),
  retries: 8,
  retryDelay: 15,
});

type Needs = Pick<Deps, "appDb" | "clock" | "config" | "jobs" | "log" | "newId" | "secrets">;

export interface Outbox extends Mail {
  /** Text and HTML of a stored mail. */
  readBody(mail: { id: string; organisation_id: string; body: string }): Promise<{ text: string; html: string | null }>;
  startDelivering(): Promise<() => Promise<void>>;
}

const placeOf = (id: string, organisationId: string) => ({
  instanceId: organisationId,
  table: "mail",
  id,
  field: "body",
});
const Body = z.object({ text: z.string(), html: z.string().nullable() });

export function outbox(deps: Needs): Outbox {
  const { appDb, clock, config, jobs, log, newId, secrets } = deps;
  const transport = config.smtpUrl ? createTransport(config.smtpUrl) : null;
  const from = `"Accord" <no-reply@${new URL(config.baseUrl).hostname}>`;

  const readBody: Outbox["readBody"] = async (mail) =>
    Body.parse(JSON.parse(await secrets.open(placeOf(mail.id, mail.organisation_id), mail.body)));

  async function send(message: MailMessage): Promise<void> {
    const id = message.id ?? newId<"mail">();
    const body = JSON.stringify({ text: message.text, html: message.html ?? null });
    const isNew = await insertMail(appDb, {
      id,
      organisation_id: message.organisationId,
      instance_id: message.instanceId ?? null,
      kind: message.kind,
      recipient: oneLine(message.to),
      subject: oneLine(message.subject),
      body: await secrets.seal(placeOf(id, message.organisationId), body),
      status: transport ? "WAITING" : "KEPT",
      attempts: 0,
      error: null,
      created_at: clock.now(),
      sent_at: null,
    });
    if (transport && isNew) await jobs.send(deliverMail, { mailId: id });
  }

  async function deliver({ mailId }: { mailId: string }): Promise<void> {
    const mail = await findMail(appDb, mailId);
    if (!mail || !transport || mail.status === "SENT") return;
    const { text, html } = await readBody(mail);
    try {
      await transport.sendMail({ from, to: mail.recipient, subject: mail.subject, text, html: html ?? undefined });
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

  return { send, readBody, startDelivering: () => jobs.work(deliverMail, deliver) };
}

/** A line break in a header would start another header. */
const oneLine = (text: string) => text.replace(/[\r\n\0]+/g, " ").trim();
