/** Actions that tell somebody something: in-app notification, log message, chat messages. */
import type { ChatService } from "@accord/contracts/sync/providers";
import { z } from "zod";
import { input, schemaIssues } from "../functions/define.ts";
import type { ActionDefinition } from "./define.ts";
import { neededText, textInput } from "./inputs.ts";

const LEVELS = ["info", "warning", "error"] as const;
const LEVEL_VALUES = [
  { id: "info", label: "Information" },
  { id: "warning", label: "Warning" },
  { id: "error", label: "Error" },
];
const Text = z.string({ error: "Write a text." }).min(1, "Write a text.");
const TEXT_INPUT = input({ name: "text", label: "Text", datatype: "textarea", required: true, allowUserToken: true });
const shared = { group: "message", levels: ["entity", "field"], effect: "work" } as const;

const NOTIFICATION = z.looseObject({
  roles: z.array(z.string()).default([]),
  text: Text,
  severity: z.enum(LEVELS).default("info"),
});

export const sendNotification: ActionDefinition = {
  ...shared,
  name: "sendNotification",
  label: "Send notification",
  summary: "Tells people of the instance by a notification.",
  inputs: [
    input({
      name: "roles",
      label: "Roles",
      datatype: "multiselect",
      renderType: "roles",
      hideTokenPicker: true,
      helpText: "Who is told. None: everybody of the instance.",
    }),
    TEXT_INPUT,
    input({
      name: "severity",
      label: "Severity",
      datatype: "picklist",
      defaultValue: "info",
      hideTokenPicker: true,
      values: LEVEL_VALUES,
    }),
  ],
  check: (configuration) => schemaIssues(NOTIFICATION, configuration, () => false),
  prepare: (configuration, context) => {
    const { roles, text, severity } = NOTIFICATION.parse(configuration);
    const read = neededText(text, context, "text", "The text");
    return (record, env) => ({ kind: "notify", roles, text: read(record, env), severity });
  },
  examples: [
    {
      says: "the text may hold tokens",
      config: { text: "{{previous.values.Name}} changed" },
      record: { values: { Name: "Acme" } },
      work: { kind: "notify", roles: [], text: "Acme changed", severity: "info" },
    },
    {
      says: "to some roles, as a warning",
      config: { roles: ["Sync Manager"], text: "Look", severity: "warning" },
      record: { values: {} },
      work: { kind: "notify", roles: ["Sync Manager"], text: "Look", severity: "warning" },
    },
    {
      says: "a text that is blank for the record tells nobody",
      config: { text: "{{previous.values.Name}}" },
      record: { values: {} },
      fails: "input_blank",
    },
  ],
};

const LOG = z.looseObject({ level: z.enum(LEVELS).default("info"), text: Text });

export const logMessage: ActionDefinition = {
  ...shared,
  name: "logMessage",
  label: "Log message",
  summary: "Writes a line into the pipeline's log.",
  inputs: [
    input({
      name: "level",
      label: "Level",
      datatype: "picklist",
      defaultValue: "info",
      hideTokenPicker: true,
      values: LEVEL_VALUES,
    }),
    TEXT_INPUT,
  ],
  check: (configuration) => schemaIssues(LOG, configuration, () => false),
  prepare: (configuration, context) => {
    const { level, text } = LOG.parse(configuration);
    const read = neededText(text, context, "text", "The text");
    return (record, env) => ({ kind: "log", level, text: read(record, env) });
  },
  examples: [
    {
      says: "a line for each record",
      config: { text: "Saw {{previous.values.Name}}" },
      record: { values: { Name: "Acme" } },
      work: { kind: "log", level: "info", text: "Saw Acme" },
    },
    {
      says: "with a level",
      config: { level: "error", text: "Odd" },
      record: { values: {} },
      work: { kind: "log", level: "error", text: "Odd" },
    },
    {
      says: "a blank line is none",
      config: { text: "{{previous.values.Name}}" },
      record: { values: {} },
      fails: "input_blank",
    },
  ],
};

const CHAT = z.looseObject({ channel: z.string().max(200).default(""), text: Text });

const chatAction = (service: ChatService, name: string, label: string, channel: string): ActionDefinition => ({
  ...shared,
  name,
  label,
  summary: `Writes a message into ${label.slice("Send to ".length)}; off until the instance has set it up${service === "slack" ? ", with the token of a bot under Custom actions or an incoming webhook" : ""}.`,
  inputs: [
    TEXT_INPUT,
    input({
      name: "channel",
      label: "Channel",
      datatype: "string",
      allowUserToken: true,
      helpText:
        service === "slack"
          ? "Its name, such as #sales, or its id. Empty: the channel that the address was made for; a bot needs one."
          : "Empty: the channel that the address was made for.",
    }),
  ],
  check: (configuration) => schemaIssues(CHAT, configuration, () => false),
  prepare: (configuration, context) => {
    const held = CHAT.parse(configuration);
    const read = neededText(held.text, context, "text", "The text");
    const readChannel = textInput(held.channel, context, "channel");
    return (record, env) => ({ kind: "chat", service, channel: readChannel(record, env), text: read(record, env) });
  },
  examples: [
    {
      says: "the text may hold tokens",
      config: { text: "{{previous.values.Name}} is new" },
      record: { values: { Name: "Acme" } },
      work: { kind: "chat", service, channel: "", text: "Acme is new" },
    },
    {
      says: "into a channel",
      config: { text: "New", channel },
      record: { values: {} },
      work: { kind: "chat", service, channel, text: "New" },
    },
    {
      says: "a text that is blank for the record says nothing",
      config: { text: "{{previous.values.Name}}" },
      record: { values: { Name: null } },
      fails: "input_blank",
    },
  ],
});

export const sendSlackMessage = chatAction("slack", "sendSlackMessage", "Send to Slack", "#sales");
export const sendTeamsMessage = chatAction("teams", "sendTeamsMessage", "Send to Teams", "Sales");
