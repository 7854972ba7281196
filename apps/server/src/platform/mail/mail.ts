/** The promise of outgoing mail. */
import type { Id } from "@accord/contracts";

export interface MailMessage {
  /** A mail with this id is written once, however often it is sent. */
  id?: Id<"mail">;
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** What it is about: `invitation`, `passwordReset`, `shareInvitation`, … */
  kind: string;
  organisationId: string;
  /** Instance it came from, when there is one. */
  instanceId?: string;
}

export interface Mail {
  /** Queues the message; a failing mail server never fails the use case. Delivered by SMTP, else kept in the outbox. */
  send(message: MailMessage): Promise<void>;
}
