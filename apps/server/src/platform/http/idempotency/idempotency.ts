/** A creating call sent twice with one Idempotency-Key has one effect, and both get the same answer. */
import { createHash, randomUUID } from "node:crypto";
import type { Deps } from "../../deps.ts";
import { AppError } from "../app-error.ts";
import { claimKey, findKey, releaseKey, renewKey, saveReply } from "./idempotency.store.ts";

export const KEY_LIFETIME_MS = 24 * 3_600_000;
/** A call that holds its key longer than this died with its server. */
const ABANDONED_MS = 120_000;
/** A call that is at work says so this often. */
const RENEW_MS = 30_000;
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
  const own = { scope, key: call.key, owner: randomUUID() };
  const deadline = deps.clock.monotonicMs() + WAIT_MS;

  for (;;) {
    const now = deps.clock.now();
    const claim = {
      ...own,
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

  const renewal = setInterval(() => void renewKey(deps.appDb, own, deps.clock.now()).catch(() => {}), RENEW_MS);
  try {
    const reply = await work();
    if (await saveReply(deps.appDb, own, await deps.secrets.seal(place, JSON.stringify(reply ?? null)))) return reply;
    // Taken for dead, as when its machine was suspended: there is one answer, and whoever took over gives it.
    const taken = await findKey(deps.appDb, scope, call.key);
    return taken?.reply ? JSON.parse(await deps.secrets.open(place, taken.reply)) : reply;
  } catch (error) {
    await releaseKey(deps.appDb, own);
    throw error;
  } finally {
    clearInterval(renewal);
  }
}
