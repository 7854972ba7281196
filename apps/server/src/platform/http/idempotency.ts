/** A creating call sent twice with one Idempotency-Key has one effect, and both get the same answer. */
import { createHash } from "node:crypto";
import type { Deps } from "../deps.ts";
import { AppError } from "./app-error.ts";
import { claimKey, findKey, releaseKey, saveReply } from "./idempotency.store.ts";

export const KEY_LIFETIME_MS = 24 * 3_600_000;
/** A call that holds its key longer than this died with its server. */
const ABANDONED_MS = 120_000;
const POLL_MS = 25;
const WAIT_MS = 30_000;
const KEY_PATTERN = /^[\x21-\x7e]{8,200}$/;

export interface RepeatableCall {
  /** Value of the header. */
  key: string;
  userId: string;
  instanceId: string;
  endpointName: string;
  /** Everything that was sent; the same key with something else is refused. */
  input: unknown;
}

type Needs = Pick<Deps, "appDb" | "clock" | "secrets">;

/** Runs `work` unless the same call ran before or runs now; then answers as that one did. A failed call frees its key. */
export async function once(deps: Needs, call: RepeatableCall, work: () => Promise<unknown>): Promise<unknown> {
  if (!KEY_PATTERN.test(call.key)) {
    throw new AppError("malformed_body", { reason: "An Idempotency-Key has 8 to 200 printable characters." });
  }
  const scope = `${call.userId} ${call.instanceId} ${call.endpointName}`;
  const requestHash = createHash("sha256").update(JSON.stringify(call.input)).digest("hex");
  const place = { instanceId: call.instanceId, table: "idempotency_key", id: `${scope} ${call.key}`, field: "reply" };
  const deadline = deps.clock.monotonicMs() + WAIT_MS;

  for (;;) {
    const now = deps.clock.now();
    const claim = {
      scope,
      key: call.key,
      requestHash,
      now,
      abandonedBefore: new Date(now.getTime() - ABANDONED_MS),
      forgottenBefore: new Date(now.getTime() - KEY_LIFETIME_MS),
    };
    if (await claimKey(deps.appDb, claim)) break;
    const first = await findKey(deps.appDb, scope, call.key);
    if (first && first.request_hash !== requestHash) throw new AppError("idempotency_conflict");
    if (first?.reply) return JSON.parse(await deps.secrets.open(place, first.reply));
    if (deps.clock.monotonicMs() > deadline) throw new AppError("server_busy");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  try {
    const reply = await work();
    await saveReply(deps.appDb, scope, call.key, await deps.secrets.seal(place, JSON.stringify(reply ?? null)));
    return reply;
  } catch (error) {
    await releaseKey(deps.appDb, scope, call.key);
    throw error;
  }
}
