/** Synapses that every organisation may connect: what others see of them changes only with the operator's permission. */
import type { ShareScope } from "@accord/contracts/connections/http-synapse-sharing";
import type { Ctx } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";

/** Sharing with every organisation is the operator's. */
export const mayShareWithAll = (ctx: Pick<Ctx, "can">): boolean => ctx.can("APPROVE_CUSTOM_SYNAPSE");

/** @throws AppError("forbidden") where one of the scopes is the whole installation and the caller is not its operator. */
export function demandOperator(ctx: Pick<Ctx, "can">, ...scopes: readonly ShareScope[]): void {
  if (scopes.includes("GLOBAL") && !mayShareWithAll(ctx)) throw new AppError("forbidden");
}
