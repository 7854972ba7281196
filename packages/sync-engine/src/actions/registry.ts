/** Every action there is, in the order of the palette. */
import { createCoreRecord, deleteCoreRecord, updateCoreRecord } from "./core-records.ts";
import { customAction } from "./custom-action.ts";
import type { ActionDefinition } from "./define.ts";
import { createExternalRecord, deleteExternalRecord, updateExternalRecord } from "./external-records.ts";
import { respondToWebhook, stopProcessing } from "./flow-actions.ts";
import { httpRequest } from "./http-request.ts";
import { sendEmail } from "./send-email.ts";
import { logMessage, sendNotification, sendSlackMessage, sendTeamsMessage } from "./notification-actions.ts";

export const ACTIONS: readonly ActionDefinition[] = [
  sendEmail,
  sendNotification,
  sendSlackMessage,
  sendTeamsMessage,
  logMessage,
  httpRequest,
  customAction,
  createExternalRecord,
  updateExternalRecord,
  deleteExternalRecord,
  createCoreRecord,
  updateCoreRecord,
  deleteCoreRecord,
  respondToWebhook,
  stopProcessing,
];

const byName: ReadonlyMap<string, ActionDefinition> = new Map(ACTIONS.map((one) => [one.name, one]));

export const actionByName = (name: string): ActionDefinition | undefined => byName.get(name);
