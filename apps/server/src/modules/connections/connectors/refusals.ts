/** Refusals of connector use cases. */
import type { FieldProblem } from "@accord/contracts";
import type { Deps } from "../../../platform/deps.ts";
import { AppError, invalidField } from "../../../platform/http/app-error.ts";
import { OutboundError } from "../../../platform/outbound/outbound.ts";
import { isNameTaken } from "./connectors.store.ts";
import { isRedirectTaken } from "./oauth/redirects.store.ts";

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

export const notInLibrary = (): AppError =>
  invalidField("typeId", "is not in the library: it was deleted, or it is not shared with this instance any more");

/** What it throws for a name that is taken names the field. */
export async function namesAreUnique<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isRedirectTaken(error))
      throw invalidField("oauthRedirectName", "is another synapse's, or was one's: open the form again");
    if (!isNameTaken(error)) throw error;
    throw new AppError("name_taken", { name }, { errors: [{ path: "name", message: "is already taken" }] });
  }
}
