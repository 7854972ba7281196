/** Alerts on data cards: a value of a card, a condition, and who is notified once when it is crossed. */
import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Aggregate } from "./dataset-config.ts";

export const ALERT_LIMITS = {
  /** Of one card. */
  perCard: 20,
  /** Of an instance, on all cards. */
  perInstance: 500,
  /** People of one alert. */
  recipients: 20,
  /** Who can be chosen, in the reply. */
  people: 500,
  /** Longest one evaluation may take. */
  evaluationMs: 20_000,
  /** Failed evaluations in a row after which the owner gets a notification. */
  failuresBeforeNotice: 3,
  /** Longest a called address may take, and largest answer it may give; the answer is not kept. */
  webhookMs: 10_000,
  webhookBytes: 64_000,
  /** Calls of an address for one crossing. */
  webhookTries: 5,
} as const;

/** Minutes between two evaluations. None is shorter than the life of a card's cached answer. */
export const ALERT_MINUTES = [5, 15, 60, 360, 1_440] as const;
export type AlertMinutes = (typeof ALERT_MINUTES)[number];
const EveryMinutes = z.literal(ALERT_MINUTES, `must be one of ${ALERT_MINUTES.join(", ")}`);

/** What the values of a series are made of, and how; the aggregate of a column that has none set is `sum`. */
export const AlertMeasure = z.strictObject({ column: z.string().max(200), aggregate: Aggregate });
export type AlertMeasure = z.output<typeof AlertMeasure>;

/** Which value of the card is compared. */
export const AlertWatch = z.discriminatedUnion("kind", [
  /** The number of a metric or gauge. */
  z.strictObject({ kind: z.literal("value") }),
  /** Marks of one series of a chart. */
  z.strictObject({
    kind: z.literal("series"),
    /** Key of the series in the chart's model: `y0`, or the JSON of the value that splits the chart. */
    series: z.string().min(1, "Choose a series.").max(1_000),
    /** Its name when it was chosen, for lists and messages. */
    label: z.string().max(200).default(""),
    /**
     * Its measure when it was chosen: `y0` is a place, which another column takes when one is removed. Without it
     * value columns are compared by the label, unless that is empty.
     */
    measure: AlertMeasure.optional(),
    /** `latest`: the newest date that the chart has. `any`: every mark but those that add up others. */
    marks: z.enum(["latest", "any"]),
  }),
]);
export type AlertWatch = z.output<typeof AlertWatch>;
export type SeriesWatch = Extract<AlertWatch, { kind: "series" }>;

const Limit = z.number("Enter a number.");
const inOrder = { path: ["to"], message: "must not be less than the beginning of the range" };
/** `inside` includes the ends of its range; `outside`, `above` and `below` are strict. */
export const AlertCondition = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("above"), limit: Limit }),
  z.strictObject({ kind: z.literal("below"), limit: Limit }),
  z.strictObject({ kind: z.literal("outside"), from: Limit, to: Limit }).refine(({ from, to }) => from <= to, inOrder),
  z.strictObject({ kind: z.literal("inside"), from: Limit, to: Limit }).refine(({ from, to }) => from <= to, inOrder),
]);
export type AlertCondition = z.output<typeof AlertCondition>;

export const ALERT_STATES = ["UNKNOWN", "OK", "CROSSED", "NO_VALUE", "FAILED"] as const;
/** `NO_VALUE` and `FAILED` leave open whether it is crossed: what held before them holds after them. */
export const AlertState = z.enum(ALERT_STATES);
export type AlertState = z.output<typeof AlertState>;

/** A value as the card shows it. */
export const AlertValue = z.strictObject({
  value: z.number(),
  text: z.string(),
  /** The category of the mark; empty for metrics and gauges. */
  mark: z.string(),
});
export type AlertValue = z.output<typeof AlertValue>;

export const CardAlert = z.strictObject({
  id: id("cardAlert"),
  cardId: id("dataCard"),
  name: z.string(),
  watch: AlertWatch,
  condition: AlertCondition,
  everyMinutes: EveryMinutes,
  /** People of the instance who are notified under the bell. */
  recipients: z.array(id("user")),
  /** Whether they get a mail as well. */
  sendsMail: z.boolean(),
  /** Scheme and host of the address that is called as well. The address itself is never shown: it may hold a token. */
  webhook: z.string().nullable(),
  /** Why the last call of it failed. */
  webhookProblem: z.string().nullable(),
  /** Whose permissions it is evaluated with: whoever saved it last. Empty when they are gone. */
  owner: z.string(),
  state: AlertState,
  /** Of the last evaluation that found one. */
  last: AlertValue.nullable(),
  /** Why the last evaluation failed, or found no value. */
  problem: z.string().nullable(),
  /** Failed evaluations in a row. */
  failures: z.int().nonnegative(),
  checkedAt: z.iso.datetime().nullable(),
  crossedAt: z.iso.datetime().nullable(),
  version: z.int(),
});
export type CardAlert = z.output<typeof CardAlert>;

const WebAddress = z
  .url({ protocol: /^https?$/, error: "must be a web address: https://…" })
  .max(2_000, "has at most 2,000 characters")
  .refine((text) => !URL.canParse(text) || new URL(text).username + new URL(text).password === "", {
    error: "may not hold a user name or password",
  });

const AlertBody = {
  name: z.string().trim().min(1, "Enter a name.").max(120),
  watch: AlertWatch,
  condition: AlertCondition,
  everyMinutes: EveryMinutes.default(15),
  recipients: z
    .array(id("user"))
    .min(1, "Choose somebody to notify.")
    .max(ALERT_LIMITS.recipients, `at most ${ALERT_LIMITS.recipients} people can be notified`),
  sendsMail: z.boolean().default(false),
  /** Called with a JSON body at each crossing. Left out, it stays as it is; null removes it. */
  webhook: WebAddress.nullable().optional(),
};
export const AlertInput = z.strictObject(AlertBody);
export type AlertInput = z.output<typeof AlertInput>;

const ofCard = z.strictObject({ id: id("dataCard") });
const ofAlert = z.strictObject({ alertId: id("cardAlert") });

export const listCardAlerts = endpoint({
  name: "listCardAlerts",
  method: "GET",
  path: "/datacards/:id/alerts",
  access: "UPDATE_DATACARD",
  alsoNeeds: "READ_INSIGHTS",
  scope: "instance",
  summary: "The alerts of a data card with their states, and the people who can be notified.",
  params: ofCard,
  reply: z.strictObject({
    alerts: z.array(CardAlert),
    people: z.array(z.strictObject({ id: id("user"), name: z.string() })),
  }),
});

export const createCardAlert = endpoint({
  name: "createCardAlert",
  method: "POST",
  path: "/datacards/:id/alerts",
  access: "UPDATE_DATACARD",
  alsoNeeds: "READ_INSIGHTS",
  scope: "instance",
  summary: "Creates an alert on a saved data card; it is evaluated with the permissions of whoever saves it.",
  creates: true,
  params: ofCard,
  body: AlertInput,
  reply: CardAlert,
  errors: ["validation_failed", "too_many_alerts"],
});

export const updateCardAlert = endpoint({
  name: "updateCardAlert",
  method: "PUT",
  path: "/card-alerts/:alertId",
  access: "UPDATE_DATACARD",
  alsoNeeds: "READ_INSIGHTS",
  scope: "instance",
  summary:
    "Changes an alert. The caller becomes its owner; with another value or condition its state starts anew as unknown.",
  params: ofAlert,
  body: z.strictObject({ ...AlertBody, version: z.int() }),
  reply: CardAlert,
  errors: ["stale_version", "validation_failed"],
});

export const deleteCardAlert = endpoint({
  name: "deleteCardAlert",
  method: "DELETE",
  path: "/card-alerts/:alertId",
  access: "UPDATE_DATACARD",
  scope: "instance",
  summary: "Deletes an alert.",
  params: ofAlert,
  reply: z.strictObject({}),
});

export const testCardAlert = endpoint({
  name: "testCardAlert",
  method: "POST",
  path: "/datacards/:id/alerts/test",
  access: "UPDATE_DATACARD",
  alsoNeeds: "READ_INSIGHTS",
  scope: "instance",
  summary: "Evaluates an alert that may not be saved yet, with the caller's permissions, and notifies nobody.",
  params: ofCard,
  body: z.strictObject({ watch: AlertWatch, condition: AlertCondition }),
  reply: z.strictObject({
    state: z.enum(["OK", "CROSSED", "NO_VALUE"]),
    value: AlertValue.nullable(),
  }),
  errors: ["validation_failed", "dataset_invalid", "query_timeout", "answer_too_large"],
});
