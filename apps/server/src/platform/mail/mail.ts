/** The promise of outgoing mail. */
import type { Id } from "@accord/contracts";

/** Signs somebody in once, to set a password. */
export interface OneTimeLink {
  kind: "invitation" | "passwordReset";
  userId: string;
}

export interface MailMessage {
  /** A mail with this id is written once, however often it is sent. */
  id?: Id<"mail">;
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Fills `{{link}}` in text and HTML: made anew when the mail leaves, and stored nowhere. */
  link?: OneTimeLink;
  /** Fills `{{code}}` in text and HTML: sealed with the mail, but shown to few who may read its text. */
  code?: string;
  /** It may hold values of password fields: the outbox shows neither its subject nor its text. */
  isHidden?: boolean;
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
