/** Calls of the Sheets and Drive APIs for one spreadsheet: signed, counted, within a time limit, refusals classified. */
import { jsonOf, sendRequest, type Answer, type ConnectContext, type ConnectorError } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { addressesOf, spreadsheetIdOf, type SheetsConfig } from "../config.ts";
import { callBudget, type CallKind } from "./call-budget.ts";
import { isQuota, refusalOf, saidIn } from "./refusals.ts";
import { signerOf } from "./token.ts";

interface CallOptions {
  query?: readonly (readonly [string, string])[];
  body?: Value;
  signal?: AbortSignal | undefined;
  /** Called right before a request leaves; what it throws keeps it from being sent. */
  beforeSend?: () => void;
}

export interface GoogleClient {
  /** `path`: behind `/v4/spreadsheets/<id>`. Throws a classified error unless the status is a success. */
  sheets(kind: CallKind, path: string, options?: CallOptions): Promise<Value>;
  /** The file's version; null where the Drive API may not be asked. */
  version(signal?: AbortSignal): Promise<string | null>;
  /** Milliseconds since 1970. */
  now(): number;
}

export function openClient(context: ConnectContext, config: SheetsConfig): GoogleClient {
  const addresses = addressesOf(config);
  const spreadsheet = spreadsheetIdOf(config);
  const signer = signerOf(context, addresses);
  const limits = { read: config.readsPerMinute, write: config.writesPerMinute };
  const budget = callBudget(context, `${addresses.sheets} ${context.authType === "oauth" ? spreadsheet : ""}`, limits);
  const now = (): number => context.now().getTime();
  let mayAskDrive = true;

  const once = async (method: string, url: URL, options: CallOptions, token: string): Promise<Answer> => {
    const { body, signal, beforeSend } = options;
    return sendRequest(context, {
      method,
      url,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      secretHeaders: ["authorization"],
      timeoutMs: config.answerSeconds * 1000,
      signal: signal ? AbortSignal.any([signal, context.signal]) : context.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(beforeSend && { beforeSend }),
    });
  };
  const call = async (method: string, url: URL, options: CallOptions = {}): Promise<Answer> => {
    for (const [name, value] of options.query ?? []) url.searchParams.append(name, value);
    const token = await signer.token(null);
    const answer = await once(method, url, options, token);
    if (answer.status !== 401) return answer;
    // A token may have been withdrawn early: one new one, then the refusal counts.
    const renewed = await signer.token(token);
    return renewed === token ? answer : once(method, url, options, renewed);
  };
  const refusal = (answer: Answer): ConnectorError =>
    refusalOf(answer, { account: signer.account(), spreadsheet, now: now() });
  return {
    now,
    async sheets(kind, path, options = {}) {
      budget.take(kind);
      const url = new URL(`${addresses.sheets}/v4/spreadsheets/${spreadsheet}${path}`);
      const answer = await call(options.body === undefined ? "GET" : "POST", url, options);
      if (!answer.ok) throw refusal(answer);
      return jsonOf(answer);
    },
    async version(signal) {
      if (!mayAskDrive) return null;
      const url = new URL(`${addresses.drive}/drive/v3/files/${spreadsheet}`);
      const query = [
        ["fields", "version"],
        ["supportsAllDrives", "true"],
      ] as const;
      const answer = await call("GET", url, { query, signal });
      const isForbidden = answer.status === 403 || answer.status === 404;
      if (isForbidden && !isQuota(answer.status, saidIn(answer))) {
        mayAskDrive = false;
        return null;
      }
      if (!answer.ok) throw refusal(answer);
      const json = jsonOf(answer);
      const found = json !== null && typeof json === "object" && "version" in json ? json["version"] : null;
      return typeof found === "string" ? found : null;
    },
  };
}
