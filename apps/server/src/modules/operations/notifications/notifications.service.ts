/** Tells people of an instance what happened, and answers what each of them was told. */
import { BUILT_IN_ROLES, type Id, id } from "@accord/contracts";
import { type Notification, notificationsChanged } from "@accord/contracts/operations/notifications";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { effectiveRoles, findHoldings } from "../../identity/roles/index.ts";
import * as store from "./notifications.store.ts";

const notificationId = id("notification");
const KEPT_MS = 30 * 86_400_000;

/** Something that people should know. */
export interface NotificationInput {
  instanceId: Id<"instance">;
  /** What it is about: told again under the same subject, it is not told twice. */
  subject: string;
  severity: Notification["severity"];
  message: string;
  detail?: string;
  /** Where in the product it can be looked into. */
  link?: string;
  /** Built-in roles by key or name, own ones by id. None: everybody of the instance. */
  roles?: readonly string[];
  /** Nobody else sees it. */
  userId?: Id<"user">;
}

export interface NotificationsService {
  notify(input: NotificationInput): Promise<void>;
  /** Stores one in the caller's transaction; false when its subject is there already. `announce` follows the commit. */
  record(db: Db, input: NotificationInput): Promise<boolean>;
  /** Has open windows ask for what is new. */
  announce(instanceId: Id<"instance">): Promise<void>;
}

export function notificationsService(deps: Pick<Deps, "appDb" | "clock" | "newId" | "realtime" | "log">) {
  const { appDb, clock } = deps;

  async function readerOf(ctx: Ctx): Promise<store.Reader> {
    const { instanceId } = ctx;
    const { userId } = ctx.actor;
    const holdings = await findHoldings(appDb, userId, instanceId);
    return { instanceId, userId, roles: holdings ? effectiveRoles(holdings) : [] };
  }

  const record = (db: Db, { detail = "", link = "", roles = [], userId, ...input }: NotificationInput) =>
    store.insertNotification(db, {
      ...input,
      id: deps.newId<"notification">(),
      detail,
      link,
      roles: roles.map(roleKey),
      userId: userId ?? null,
      at: clock.now(),
    });
  const announce = (instanceId: Id<"instance">) => deps.realtime.publish(instanceId, notificationsChanged, {});

  return {
    record,
    announce,

    async notify(input: NotificationInput): Promise<void> {
      if (await record(appDb, input)) await announce(input.instanceId);
    },

    async list(ctx: Ctx, { cursor, count, direction }: { cursor?: string; count: number; direction: string }) {
      const reader = await readerOf(ctx);
      const newer = direction === "previous";
      const asked = { from: cursor ?? null, newer, limit: count + 1 };
      const rows = await store.listNotifications(appDb, reader, asked);
      const hasMore = rows.length > count;
      const page = newer ? rows.slice(-count) : rows.slice(0, count);
      return {
        notifications: page.map(toNotification),
        unread: await store.countUnread(appDb, reader),
        pageInfo: {
          nextCursor: (newer ? cursor !== undefined : hasMore) ? (page.at(-1)?.id ?? null) : null,
          previousCursor: (newer ? hasMore : cursor !== undefined) ? (page[0]?.id ?? null) : null,
        },
      };
    },

    async markRead(ctx: Ctx, upTo: string): Promise<void> {
      if (!(await store.markRead(appDb, await readerOf(ctx), upTo)))
        throw new AppError("not_found", { what: "Notification" });
    },

    forgetOld: () => store.forgetNotifications(appDb, new Date(clock.now().getTime() - KEPT_MS)),
  };
}

/** Pipelines may name built-in roles as people read them. */
function roleKey(role: string): string {
  const key = role.trim().toUpperCase().replaceAll(/\s+/g, "_");
  return BUILT_IN_ROLES.find((one) => one === key) ?? role;
}

function toNotification(row: store.NotificationRow): Notification {
  return {
    id: notificationId.parse(row.id),
    at: row.created_at,
    severity: row.severity,
    message: row.message,
    detail: row.detail,
    link: row.link,
    read: row.read,
  };
}
