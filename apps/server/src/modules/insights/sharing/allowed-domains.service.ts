/** Use cases of the list of allowed domains: read, add, remove; who is invited; and the check of each invitation. */
import type { Id } from "@accord/contracts";
import { ALLOWED_DOMAINS, type AllowedDomain } from "@accord/contracts/insights/allowed-domains";
import { insightsChanged } from "@accord/contracts/insights/dashboards";
import { domainOf } from "@accord/contracts/insights/mail-domains";
import { z } from "zod";
import type { Ctx } from "../../../platform/ctx.ts";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import type { AuditLog } from "../../operations/audit/index.ts";
import { authorName } from "../author.ts";
import * as store from "./allowed-domains.store.ts";

export type AllowedDomainsService = ReturnType<typeof allowedDomainsService>;

interface ItemQuery {
  domain?: string | undefined;
  outside: "true" | "false";
  cursor?: string | undefined;
  pageSize: number;
}

const CursorText = z.tuple([z.string().max(300), z.string().max(60)]);
/** As many domains a refusal names. */
const MOST_NAMED = 10;

export function allowedDomainsService(deps: Deps, needs: { audit: AuditLog }) {
  const { appDb, appPool } = deps;
  const now = () => deps.clock.now().toISOString();

  async function changed(ctx: Ctx, action: "created" | "deleted"): Promise<void> {
    await deps.realtime.publish(ctx.instanceId, insightsChanged, { kind: "allowedDomain", id: ctx.instanceId, action });
  }

  return {
    list: async (ctx: Ctx) => ({ domains: await store.readDomains(appDb, ctx.instanceId) }),

    async add(ctx: Ctx, asked: readonly string[]): Promise<{ domains: AllowedDomain[] }> {
      const { instanceId } = ctx;
      const wanted = { domains: [...new Set(asked)], by: authorName(ctx), now: now() };
      const { added, domains } = await transaction(appPool, async ({ db }) => {
        await store.lockList(db, instanceId, "change");
        const added = await store.insertDomains(db, instanceId, wanted);
        const domains = await store.readDomains(db, instanceId);
        if (domains.length > ALLOWED_DOMAINS.most)
          throw invalidField("domains", `can be ${ALLOWED_DOMAINS.most} at most, with those on the list already`);
        return { added, domains };
      });
      if (added.length > 0) {
        await needs.audit.record(ctx, "createAllowedDomains", { kind: "allowedDomain" }, { domains: added });
        await changed(ctx, "created");
      }
      return { domains };
    },

    /** What is shared with people there stays, until it ends or is taken back. */
    async remove(ctx: Ctx, domain: string): Promise<{ domains: AllowedDomain[] }> {
      const { instanceId } = ctx;
      const domains = await transaction(appPool, async ({ db }) => {
        await store.lockList(db, instanceId, "change");
        if (!(await store.deleteDomain(db, instanceId, domain)))
          throw new AppError("not_found", { what: "Allowed domain" });
        return store.readDomains(db, instanceId);
      });
      await needs.audit.record(ctx, "deleteAllowedDomain", { kind: "allowedDomain", name: domain });
      await changed(ctx, "deleted");
      return { domains };
    },

    inUse: (ctx: Ctx) => store.readDomainsInUse(appDb, ctx.instanceId, { now: now(), limit: ALLOWED_DOMAINS.listed }),

    async items(ctx: Ctx, { domain, outside, cursor, pageSize }: ItemQuery) {
      const which = { domain, outside: outside === "true", now: now() };
      const from = cursor === undefined ? null : readCursor(cursor);
      const [found, people] = await Promise.all([
        store.readItems(appDb, ctx.instanceId, { ...which, from, count: pageSize + 1 }),
        store.countPeople(appDb, ctx.instanceId, which),
      ]);
      const items = found.slice(0, pageSize);
      const last = items.at(-1);
      return { items, nextCursor: last && found.length > pageSize ? writeCursor(last) : null, people };
    },

    /**
     * Refuses addresses outside the list, all of them at once. `db`: the transaction that invites them; until its end
     * nobody changes the list.
     */
    async requireAllowed(db: Db, at: Id<"instance">, emails: readonly string[]): Promise<void> {
      await store.lockList(db, at, "read");
      const allowed = (await store.readDomains(db, at)).map(({ domain }) => domain);
      if (allowed.length === 0) return;
      const refused = emails.flatMap((email, index) => (allowed.includes(domainOf(email)) ? [] : [{ email, index }]));
      if (refused.length === 0) return;
      const domains = named(allowed);
      throw new AppError(
        "domain_not_allowed",
        { emails: [...new Set(refused.map(({ email }) => email))].join(", "), domains },
        {
          errors: refused.map(({ email, index }) => ({
            path: `emails.${index}`,
            message: `${email} is not at an allowed domain (${domains})`,
          })),
        },
      );
    },
  };
}

function named(domains: readonly string[]): string {
  const more = domains.length - MOST_NAMED;
  return more > 0 ? `${domains.slice(0, MOST_NAMED).join(", ")} and ${more} more` : domains.join(", ");
}

const writeCursor = ({ email, sharedItemId }: { email: string; sharedItemId: string }): string =>
  Buffer.from(JSON.stringify([email, sharedItemId])).toString("base64url");

function readCursor(cursor: string): { email: string; id: string } {
  try {
    const [email, id] = CursorText.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { email: email.replaceAll("\0", ""), id: id.replaceAll("\0", "") };
  } catch {
    throw invalidField("cursor", "is not a cursor of this list: start from the first page");
  }
}
