/** Refusals of connector use cases. */
import type { FieldProblem } from "@accord/contracts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import { OutboundError } from "../../../platform/outbound/outbound.ts";

/** Refuses what was sent when there is anything wrong with it. */
export function refuse(problems: FieldProblem[]): void {
  if (problems.length > 0) throw new AppError("validation_failed", {}, { errors: problems });
}

/** The system did not answer as it should: its own words, and what to do. */
export const checkFailed = (problem: { kind: string; message: string; hint?: string }): AppError =>
  new AppError("connector_check_failed", {
    reason: [problem.message, problem.hint].filter(Boolean).join(" "),
    ...problem,
  });

/** Refuses addresses that may never be called. A name that can't be resolved just now may be saved. */
export async function refuseForbiddenHosts(outbound: Deps["outbound"], hosts: readonly string[]): Promise<void> {
  for (const host of hosts) {
    const [, name = "", port = ""] = /^(.*):(\d+)$/.exec(host) ?? [];
    try {
      await outbound.resolveHost(name.replace(/^\[|\]$/g, ""), Number(port));
    } catch (error) {
      if (error instanceof OutboundError && error.reason === "refused")
        throw new AppError("outbound_refused", { host });
    }
  }
}
