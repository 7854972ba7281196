/** What an answer of Google that is no success means, and what a person can do about it. */
import { classifyStatus, ConnectorError, retryAfterMs, type Answer } from "@accord/connector-sdk";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import { z } from "zod";
import { MINUTE_MS } from "./call-budget.ts";

const Refusal = z.object({
  error: z.object({
    message: z.string().optional(),
    status: z.string().optional(),
    details: z.array(z.object({ reason: z.string().optional() })).optional(),
    /** As the Drive API names reasons. */
    errors: z.array(z.object({ reason: z.string().optional() })).optional(),
  }),
});

interface Said {
  message: string;
  /** Codes of the refusal, of both APIs. */
  reasons: ReadonlySet<string>;
}

export function saidIn({ text }: Pick<Answer, "text">): Said {
  try {
    const { error } = Refusal.parse(JSON.parse(text));
    const codes = [...(error.details ?? []), ...(error.errors ?? [])].flatMap(({ reason }) => reason ?? []);
    return { message: error.message ?? "", reasons: new Set([...codes, ...(error.status ? [error.status] : [])]) };
  } catch {
    return { message: "", reasons: new Set() };
  }
}

const anyOf = (reasons: ReadonlySet<string>, codes: readonly string[]): boolean =>
  codes.some((code) => reasons.has(code));

const QUOTA = ["RATE_LIMIT_EXCEEDED", "rateLimitExceeded", "userRateLimitExceeded", "quotaExceeded"];
const API_OFF = ["SERVICE_DISABLED", "accessNotConfigured"];
const SCOPE = ["ACCESS_TOKEN_SCOPE_INSUFFICIENT", "insufficientPermissions"];

/** Too many calls, however it is said: surely nothing was done. */
export const isQuota = (status: number, { reasons }: Said): boolean =>
  status === 429 || (status === 403 && anyOf(reasons, QUOTA));

interface CallFacts {
  /** Whom the spreadsheet has to be shared with. */
  account: string | null;
  spreadsheet: string;
  /** Milliseconds since 1970. */
  now: number;
}

export function refusalOf(answer: Answer, { account, spreadsheet, now }: CallFacts): ConnectorError {
  const { status, headers, place } = answer;
  const said = saidIn(answer);
  const words = googleSheets.calls;
  const says = said.message === "" ? "" : `: ${said.message.replace(/[.\s]+$/, "").slice(0, 300)}`;
  const facts = { account: account ?? googleSheets.you, spreadsheet, says };
  const error = (kind: ConstructorParameters<typeof ConnectorError>[0], text: string, hint: string, waitMs?: number) =>
    new ConnectorError(kind, fill(text, facts), {
      hint: fill(hint, facts),
      ...(waitMs !== undefined && { retryAfterMs: waitMs }),
    });
  if (isQuota(status, said))
    return error("rateLimited", words.quota, words.quotaHint, retryAfterMs(headers, now) ?? MINUTE_MS);
  if (status === 403 && anyOf(said.reasons, API_OFF)) return error("configuration", words.apiOff, words.apiOffHint);
  if (status === 403 && anyOf(said.reasons, SCOPE)) return error("permission", words.scope, words.scopeHint);
  if (status === 403) return error("permission", words.notShared, words.notSharedHint);
  if (status === 404) return error("notFound", words.noSpreadsheet, words.noSpreadsheetHint);
  if (status === 400 && said.reasons.has("FAILED_PRECONDITION"))
    return error("configuration", words.notASheet, words.notASheetHint);
  return classifyStatus(status, headers, place, said.message === "" ? null : said.message.slice(0, 300));
}
