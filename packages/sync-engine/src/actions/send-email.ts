/** Send e-mail. */
import { nodeFailures } from "@accord/contracts/messages/en/sync/run/node-failures";
import { fill } from "@accord/contracts/messages/fill";
import { z } from "zod";
import { input, schemaIssues } from "../functions/define.ts";
import type { ActionDefinition } from "./define.ts";
import { ActionRefusal } from "./define.ts";
import { decodeBody, withLineBreaks, withoutScripts } from "@accord/contracts/sync/mail-body";
import { htmlInput, listInput, neededText, textInput } from "./inputs.ts";

const MOST = 50;
const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;
const Recipients = z.union([z.string(), z.array(z.string())]).default("");

const Config = z.looseObject({
  to: Recipients,
  cc: Recipients,
  bcc: Recipients,
  subject: z.string({ error: "Write a subject." }).min(1, "Write a subject."),
  body: z.string().max(200_000).default(""),
  format: z.enum(["html", "text"]).default("html"),
});

export const sendEmail: ActionDefinition = {
  name: "sendEmail",
  label: "Send e-mail",
  summary: "Sends an e-mail; every recipient gets one of their own.",
  group: "message",
  levels: ["entity", "field"],
  effect: "work",
  inputs: [
    input({ name: "to", label: "To", datatype: "emailList", required: true, allowUserToken: true }),
    input({ name: "cc", label: "Cc", datatype: "emailList", allowUserToken: true }),
    input({ name: "bcc", label: "Bcc", datatype: "emailList", allowUserToken: true }),
    input({ name: "subject", label: "Subject", datatype: "string", required: true, allowUserToken: true }),
    input({
      name: "body",
      label: "Body",
      datatype: "emailBody",
      allowUserToken: true,
      dependsOn: { dependantField: "format", dependantType: "mailFormat" },
    }),
    input({
      name: "format",
      label: "Format",
      datatype: "picklist",
      defaultValue: "html",
      hideTokenPicker: true,
      values: [
        { id: "html", label: "Formatted" },
        { id: "text", label: "Plain text" },
      ],
    }),
  ],
  check: (configuration) => schemaIssues(Config, configuration, () => false),
  prepare: (configuration, context) => {
    const { to, cc, bcc, subject, body, format } = Config.parse(configuration);
    const lists = [listInput(to, context, "to"), listInput(cc, context, "cc"), listInput(bcc, context, "bcc")];
    const readSubject = neededText(subject, context, "subject", "Subject");
    const text = decodeBody(body);
    const readBody =
      format === "html"
        ? htmlInput(withLineBreaks(withoutScripts(text)), context, "body")
        : textInput(text, context, "body");
    return (record, env) => {
      const all = [...new Set(lists.flatMap((read) => read(record, env)))];
      const wrong = all.find((address) => !ADDRESS.test(address));
      if (all.length === 0) throw new ActionRefusal("recipient_missing", nodeFailures.recipientMissing);
      if (wrong !== undefined)
        throw new ActionRefusal("recipient_invalid", fill(nodeFailures.recipientInvalid, { value: wrong }));
      if (all.length > MOST)
        throw new ActionRefusal("too_many_recipients", fill(nodeFailures.tooManyRecipients, { limit: MOST }));
      return { kind: "email", to: all, subject: readSubject(record, env), body: readBody(record, env), format };
    };
  },
  examples: [
    {
      says: "tokens may stand everywhere; the body is stored in base64",
      config: {
        to: "{{previous.values.Name}}@example.com",
        subject: "About {{previous.values.Name}}",
        body: "SGVsbG8ge3twcmV2aW91cy52YWx1ZXMuTmFtZX19",
        format: "text",
      },
      record: { values: { Name: "ann" } },
      work: { kind: "email", to: ["ann@example.com"], subject: "About ann", body: "Hello ann", format: "text" },
    },
    {
      says: "in a formatted body a value is text, never markup",
      config: { to: "a@example.com", subject: "Hi", body: "<b>{{previous.values.Name}}</b>" },
      record: { values: { Name: '<a href="x">Click' } },
      work: {
        kind: "email",
        to: ["a@example.com"],
        subject: "Hi",
        body: "<b>&lt;a href=&quot;x&quot;&gt;Click</b>",
        format: "html",
      },
    },
    {
      says: "the line breaks of a formatted body that has no markup for them are kept, and scripts are left out",
      config: {
        to: "a@example.com",
        subject: "Hi",
        body: "Hello,\n<ul>\n<li>one</li>\n</ul>\nBye<script>x</script>\nAnn",
      },
      record: { values: {} },
      work: {
        kind: "email",
        to: ["a@example.com"],
        subject: "Hi",
        body: "Hello,\n<ul>\n<li>one</li>\n</ul>\nBye<br>Ann",
        format: "html",
      },
    },
    {
      says: "a recipient named twice gets one mail",
      config: { to: "a@example.com; b@example.com", cc: "a@example.com", subject: "Hi", body: "" },
      record: { values: {} },
      work: { kind: "email", to: ["a@example.com", "b@example.com"], subject: "Hi", body: "", format: "html" },
    },
    {
      says: "without a recipient there is nothing to send",
      config: { to: "{{previous.values.Name}}", subject: "Hi" },
      record: { values: { Name: null } },
      fails: "recipient_missing",
    },
  ],
};
