/** The mail that invites to a shared dashboard: it carries the link and never the password. */
import { insights } from "@accord/contracts/messages/en/insights";

export function shareMail(facts: {
  sharer: string;
  dashboard: string;
  link: string;
  message: string;
  expiryDate: string | null;
  secret: "password" | "code";
}) {
  const words = insights.mail;
  const values = new Map(Object.entries(facts));
  const fill = (text: string): string => text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values.get(name) ?? "");
  const until = facts.expiryDate === null ? "" : words.shareUntil.replace("{{date}}", facts.expiryDate.slice(0, 10));
  const parts = [
    fill(words.shareText),
    facts.message,
    fill(words.shareLink),
    fill(words[facts.secret === "password" ? "sharePassword" : "shareCode"]),
    until,
  ];
  // A subject is one line, whatever a dashboard is called.
  return {
    subject: fill(words.shareSubject).replace(/\s+/g, " "),
    text: parts.filter((part) => part !== "").join("\n\n"),
  };
}
