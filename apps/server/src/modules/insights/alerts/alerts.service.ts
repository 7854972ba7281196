/** Use cases of alerts on cards: list, create, change, delete, and evaluate one without notifying anybody. */
import type { Id, ReplyOf } from "@accord/contracts";
import {
  ALERT_LIMITS,
  type AlertCondition,
  type AlertInput,
  type AlertWatch,
  type CardAlert,
  type testCardAlert,
} from "@accord/contracts/insights/card-alerts";
import { cardShapeOf, type VizType } from "@accord/contracts/insights/card-configuration";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { Ctx } from "../../../platform/ctx.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import { type CardsService, viewerWith } from "../cards/index.ts";
import { candidates, nameOf, peopleOf } from "./alert-people.ts";
import * as store from "./alerts.store.ts";
import { addressPlace } from "./alert-webhook.ts";
import { evaluateAlert, withinLimit } from "./evaluate-alert.ts";

type CardId = Id<"dataCard">;
type AlertId = Id<"cardAlert">;

export interface AlertsParts {
  deps: Pick<Deps, "appDb" | "appPool" | "clock" | "newId" | "secrets">;
  cards: CardsService;
  audit: AuditLog;
  /** Has a worker look for alerts of the instance that are due. */
  wake(instanceId: Id<"instance">): Promise<void>;
}

export function alertsService({ deps, cards, audit, wake }: AlertsParts) {
  const { appDb, appPool, clock } = deps;

  async function saved(ctx: Ctx, id: AlertId, { webhook }: Pick<AlertInput, "webhook">): Promise<store.Saved> {
    const owned = { ownerId: ctx.actor.userId, now: clock.now().toISOString() };
    if (webhook === undefined || webhook === null) return { ...owned, address: webhook };
    const sealed = await deps.secrets.seal(addressPlace(ctx.instanceId, id), webhook);
    return { ...owned, address: { sealed, origin: new URL(webhook).origin } };
  }

  async function get(ctx: Ctx, id: AlertId): Promise<CardAlert> {
    const found = await store.findAlert(appDb, ctx.instanceId, id);
    if (!found) throw new AppError("not_found", { what: "Alert" });
    return found;
  }

  /** Everybody is of the instance, and may see the card. */
  async function checkRecipients(ctx: Ctx, ids: readonly Id<"user">[]): Promise<void> {
    const { known, seeing } = await peopleOf(appDb, ctx.instanceId, [...new Set(ids)]);
    if (known.length < new Set(ids).size) throw new AppError("not_found", { what: "User" });
    const blind = known.filter((person) => !seeing.includes(person)).map(nameOf);
    if (blind.length > 0)
      throw invalidField("recipients", fill(insights.alerts.problem.recipients, { names: blind.join(", ") }));
  }

  async function checkCard(ctx: Ctx, id: CardId, watch: AlertWatch): Promise<{ name: string }> {
    const { vizType, displayName } = await cards.read(ctx.instanceId, id);
    checkWatch(vizType, watch);
    return { name: displayName };
  }

  return {
    /** How many alerts go with a card when it is deleted. */
    count: (at: Id<"instance">, id: CardId) => store.countOfCard(appDb, at, id),

    async list(ctx: Ctx, cardId: CardId) {
      await cards.read(ctx.instanceId, cardId);
      const alerts = await store.readAlerts(appDb, ctx.instanceId, cardId);
      const recipients = new Set(alerts.flatMap((alert) => alert.recipients));
      const [others, { known }] = await Promise.all([
        candidates(appDb, ctx.instanceId),
        peopleOf(appDb, ctx.instanceId, [...recipients]),
      ]);
      // Recipients first, whether they are among the candidates or not: a form leaves nobody out by itself.
      const people = [...known, ...others.filter((person) => !recipients.has(person.id))];
      return { alerts, people: people.map((person) => ({ id: person.id, name: nameOf(person) })) };
    },

    async create(ctx: Ctx, cardId: CardId, body: AlertInput): Promise<CardAlert> {
      const { instanceId } = ctx;
      await cards.read(instanceId, cardId);
      await checkRecipients(ctx, body.recipients);
      const { name } = await checkCard(ctx, cardId, body.watch);
      const id = deps.newId<"cardAlert">();
      const by = await saved(ctx, id, body);
      await transaction(appPool, async ({ db }) => {
        await store.lockAlerts(db, instanceId);
        const { ofCard, ofInstance } = await store.countAlerts(db, instanceId, cardId);
        const { perCard, perInstance } = ALERT_LIMITS;
        if (ofCard >= perCard) throw new AppError("too_many_alerts", { limit: perCard, what: "a card" });
        if (ofInstance >= perInstance)
          throw new AppError("too_many_alerts", { limit: perInstance, what: "an instance" });
        await store.insertAlert(db, instanceId, { ...body, ...by, id, cardId });
      });
      await audit.record(ctx, "createCardAlert", { kind: "dataCard", id: cardId, name }, noted(id, body));
      await wake(instanceId);
      return get(ctx, id);
    },

    async update(ctx: Ctx, id: AlertId, { version, ...body }: AlertInput & { version: number }): Promise<CardAlert> {
      const { cardId } = await get(ctx, id);
      await checkRecipients(ctx, body.recipients);
      const { name } = await checkCard(ctx, cardId, body.watch);
      const by = await saved(ctx, id, body);
      const isSaved = await store.updateAlert(appDb, ctx.instanceId, { ...body, ...by, id, version });
      const newest = await get(ctx, id);
      if (!isSaved) throw new AppError("stale_version", { newest });
      await audit.record(ctx, "updateCardAlert", { kind: "dataCard", id: cardId, name }, noted(id, body));
      await wake(ctx.instanceId);
      return newest;
    },

    async remove(ctx: Ctx, id: AlertId): Promise<void> {
      const { cardId, name } = await get(ctx, id);
      if (!(await store.deleteAlert(appDb, ctx.instanceId, id))) throw new AppError("not_found", { what: "Alert" });
      await audit.record(ctx, "deleteCardAlert", { kind: "dataCard", id: cardId }, { alertId: id, name });
    },

    async test(
      ctx: Ctx,
      cardId: CardId,
      { watch, condition }: { watch: AlertWatch; condition: AlertCondition },
    ): Promise<ReplyOf<typeof testCardAlert>> {
      await checkCard(ctx, cardId, watch);
      const { exchange, instanceId } = ctx;
      const verdict = await withinLimit({ ms: ALERT_LIMITS.evaluationMs, stopping: exchange.signal }, (signal) => {
        const viewer = viewerWith(ctx.permissions, { client: ctx.actor.userId, signal });
        return evaluateAlert(cards, { instanceId, cardId, watch, condition, viewer, refresh: true });
      });
      return { state: verdict.state, value: verdict.state === "NO_VALUE" ? null : verdict.value };
    },
  };
}

/** Of the address, which may hold a token, the audit log gets the origin alone. */
const noted = (alertId: AlertId, { webhook, ...body }: AlertInput): object => ({
  ...{ alertId, ...body },
  ...(webhook === undefined ? {} : { webhook: webhook && new URL(webhook).origin }),
});

/** Tables have nothing to watch, metrics and gauges one value, charts a series. */
function checkWatch(vizType: VizType, { kind }: AlertWatch): void {
  const { problem } = insights.alerts;
  switch (cardShapeOf(vizType).kind) {
    case "rows":
      throw invalidField("watch", problem.table);
    case "number":
      if (kind === "series") throw invalidField("watch", problem.no_such_series);
      return;
    case "chart":
      if (kind === "value") throw invalidField("watch", problem.no_such_value);
  }
}
