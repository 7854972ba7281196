/** What code sees of a record in a dry run: nothing of its secrets, since what it makes of them is shown. Pure. */
import type { Value } from "@accord/contracts/data/values";
import { SecretFields } from "@accord/expressions";
import type { DataRequest } from "@accord/sync-engine/functions";

/** @param names of fields whose values are not shown */
export function hiddenFromCode(names: ReadonlySet<string>, requests: readonly DataRequest[]): readonly DataRequest[] {
  if (names.size === 0) return requests;
  const secrets = SecretFields.named(names);
  const hide = (value: Value): Value => {
    if (Array.isArray(value)) return value.map(hide);
    return typeof value === "object" && value !== null && !JSON.isRawJSON(value) ? secrets.values(value) : value;
  };
  return requests.map((request) => (request.kind === "code" ? { ...request, args: request.args.map(hide) } : request));
}
