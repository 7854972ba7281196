/** What an instance on trial may use, and how much of it is left. */
import type { Id } from "@accord/contracts";
import { QUOTA_TYPES } from "@accord/contracts/identity/instances";
import { z } from "zod";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { findInstanceById, type InstanceRow } from "./instances.store.ts";

type InstanceId = Id<"instance">;
const DAY_MS = 86_400_000;

/** How much of its limits an instance has used; told by the modules that know. */
export interface Usage {
  records(instanceId: InstanceId): Promise<number>;
  publishes(instanceId: InstanceId): Promise<number>;
}

export interface InstanceState {
  numberOfRecordsLeft: number | null;
  numberOfPublishesLeft: number | null;
  trialDaysLeft: number | null;
  expiryDate: string | null;
  trialExpired: boolean;
  publishLimitExpired: boolean;
  recordLimitExpired: boolean;
}

const Quotas = z.partialRecord(z.enum(QUOTA_TYPES), z.int());
export const quotasOf = (row: Pick<InstanceRow, "quotas">) => Quotas.parse(row.quotas);

export type TrialLimits = ReturnType<typeof trialLimits>;

export function trialLimits({ appDb, clock }: Pick<Deps, "appDb" | "clock">) {
  const usage: Usage = { records: async () => 0, publishes: async () => 0 };

  async function stateOf(row: InstanceRow): Promise<InstanceState> {
    const { RECORDS_LIMIT, PIPELINE_PUBLISH_LIMIT, TRIAL_DAYS_LIMIT } = row.type === "trial" ? quotasOf(row) : {};
    const left = async (limit: number | undefined, used: () => Promise<number>) =>
      limit === undefined ? null : Math.max(0, limit - (await used()));
    const records = await left(RECORDS_LIMIT, () => usage.records(row.id));
    const publishes = await left(PIPELINE_PUBLISH_LIMIT, () => usage.publishes(row.id));
    const expiry =
      TRIAL_DAYS_LIMIT === undefined || !row.trial_started_at
        ? null
        : new Date(new Date(row.trial_started_at).getTime() + TRIAL_DAYS_LIMIT * DAY_MS);
    const days = expiry && Math.max(0, Math.ceil((expiry.getTime() - clock.now().getTime()) / DAY_MS));
    return {
      numberOfRecordsLeft: records,
      numberOfPublishesLeft: publishes,
      trialDaysLeft: days,
      expiryDate: expiry?.toISOString() ?? null,
      trialExpired: days === 0,
      publishLimitExpired: publishes === 0,
      recordLimitExpired: records === 0,
    };
  }

  return {
    stateOf,
    countWith: (more: Partial<Usage>): void => void Object.assign(usage, more),
    /** @throws AppError `invalid_state` when a trial's limit is reached. */
    async demandWithin(instanceId: InstanceId, limit: "publish" | "record"): Promise<void> {
      const row = await findInstanceById(appDb, instanceId);
      if (!row || row.type !== "trial") return;
      const state = await stateOf(row);
      if (state.trialExpired)
        throw new AppError("invalid_state", { reason: "The trial has ended. Everything can still be read." });
      if (limit === "publish" && state.publishLimitExpired) {
        throw new AppError("invalid_state", { reason: "The trial's number of publishes is used up." });
      }
      if (limit === "record" && state.recordLimitExpired) {
        throw new AppError("invalid_state", { reason: "The trial's number of records is used up." });
      }
    },
  };
}
