/** Asks the external product for its lists: through the guarded client, bounded in number, bytes and time. */
import type { ExternalColumn, ExternalItem } from "@accord/contracts/insights/external-view";
import { EXTERNAL_VIEW_LIMITS as LIMITS } from "@accord/contracts/insights/external-view";
import { fill } from "@accord/contracts/messages/fill";
import { insightsExternalView } from "@accord/contracts/messages/en/insights/external-view";
import { z } from "zod";
import { AppError } from "../../../platform/http/app-error.ts";
import { parseJson } from "../../../platform/http/request/read-body.ts";
import { type Outbound, OutboundError } from "../../../platform/outbound/outbound.ts";
import type { ExternalColumns, ExternalItems } from "./provider.ts";
import { below, withParameter } from "./embed-address.ts";

const { reason: WORDS } = insightsExternalView.external;

export interface ListCall {
  outbound: Outbound;
  /** What people call the product. */
  system: string;
  listAddress: string;
  token: string;
  signal: AbortSignal;
  /** Calls when it is its turn. */
  inTurn: <Result>(call: () => Promise<Result>) => Promise<Result>;
}

const text = (max: number) => z.string().transform((value) => value.trim().slice(0, max).toWellFormed());
const Key = z.union([z.string().min(1).max(LIMITS.name), z.int()]).transform((id) => String(id).toWellFormed());

const Item = z.object({
  id: Key,
  name: text(LIMITS.name).pipe(z.string().min(1)),
  description: text(LIMITS.description).nullish(),
  updatedAt: z.iso.datetime({ offset: true }).nullish(),
});
/** One more than is shown: that there are more. The rest is never looked at, which a flood of wrong parts would make dear. */
const some = <Part extends z.ZodType>(part: Part, limit: number) =>
  z
    .array(z.unknown())
    .transform((all) => all.slice(0, limit + 1))
    .pipe(z.array(part));

const ItemList = z.object({ items: some(Item, LIMITS.items) });

const Column = z.object({
  name: z.string().min(1).max(LIMITS.name),
  label: text(LIMITS.name).nullish(),
  type: text(LIMITS.name).nullish(),
});
const Columns = some(Column, LIMITS.columns);
const Dataset = Item.extend({ columns: Columns });
/** Cells are whatever JSON holds. */
const Rows = z.object({ columns: Columns, rows: some(some(z.unknown(), LIMITS.columns), LIMITS.rows) });

/** Only whether it answers with success. */
export async function checkAccess(call: ListCall): Promise<void> {
  await exchange(call, ["access"]);
}

export async function fetchItems(call: ListCall, list: string): Promise<ExternalItems> {
  const { items } = await fetchJson(call, [list], ItemList);
  // A list that names one twice is drawn all the same.
  const byId = new Map(items.map((item) => [item.id, asItem(item)]));
  return { items: [...byId.values()].slice(0, LIMITS.items), isCut: items.length > LIMITS.items };
}

export async function fetchDataset(call: ListCall, key: string): Promise<ExternalItem & ExternalColumns> {
  const dataset = await fetchJson(call, ["datasets", key], Dataset);
  return { ...asItem(dataset), columns: asColumns(dataset.columns), isCut: dataset.columns.length > LIMITS.columns };
}

export async function fetchRows(call: ListCall, key: string) {
  const { columns, rows } = await fetchJson(call, ["datasets", key, "rows"], Rows, { limit: String(LIMITS.rows) });
  const shown = asColumns(columns);
  return {
    columns: shown,
    rows: rows.slice(0, LIMITS.rows).map((row) => shown.map((_, at) => cellText(row[at] ?? null))),
    isCut: columns.length > LIMITS.columns || rows.length > LIMITS.rows,
  };
}

const asItem = ({ id, name, description, updatedAt }: z.output<typeof Item>): ExternalItem => ({
  ...{ id, name, description: description ?? "" },
  updatedAt: updatedAt ? new Date(updatedAt).toISOString() : null,
});

const asColumns = (columns: readonly z.output<typeof Column>[]): ExternalColumn[] =>
  columns.slice(0, LIMITS.columns).map(({ name, label, type }) => ({ name, label: label || name, type: type ?? "" }));

function cellText(value: unknown): string | null {
  if (value === null) return null;
  const words = typeof value === "string" ? value : JSON.stringify(value);
  return words.length > LIMITS.cell ? `${words.slice(0, LIMITS.cell - 1).toWellFormed()}…` : words.toWellFormed();
}

async function fetchJson<Schema extends z.ZodType>(
  call: ListCall,
  path: readonly string[],
  schema: Schema,
  query: Readonly<Record<string, string>> = {},
): Promise<z.output<Schema>> {
  const body = await exchange(call, path, query);
  let value: unknown;
  try {
    value = parseJson(body);
  } catch (error) {
    throw accessError(call, WORDS.notJson, error);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [problem] = parsed.error.issues;
  const place = problem?.path.join(".") || WORDS.wholeAnswer;
  throw accessError(call, fill(WORDS.wrongForm, { place }), new Error(`${place}: ${problem?.message}`));
}

/** The text of a successful answer. @throws AppError `access_error` with the reason in words */
async function exchange(
  call: ListCall,
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): Promise<string> {
  const plain = below(call.listAddress, path);
  // An id that would lead out of the address.
  if (!plain) throw new AppError("not_found", { what: "Dataset" });
  const url = Object.entries(query).reduce((before, [name, value]) => withParameter(before, name, value), plain);
  const reply = await call
    .inTurn(() =>
      call.outbound.guardedFetch(url.href, {
        headers: { accept: "application/json", authorization: `Bearer ${call.token}` },
        secretHeaders: ["authorization"],
        timeoutMs: LIMITS.answerMs,
        maxBytes: LIMITS.answerBytes,
        maxRedirects: 0,
        onlyOrigins: [url.origin],
        signal: call.signal,
      }),
    )
    .catch((error: unknown) => {
      // Whoever left is no failure of the product or of ours.
      call.signal.throwIfAborted();
      throw error instanceof OutboundError ? accessError(call, outboundReason(error), error) : error;
    });
  const body = new TextDecoder().decode(reply.body);
  if (reply.status === 404 && path.length > 1) throw new AppError("not_found", { what: "Dataset" });
  if (reply.status < 200 || reply.status >= 300) throw accessError(call, refusalReason(call, reply.status, body));
  return body;
}

function outboundReason(error: OutboundError): string {
  const limit = LIMITS.answerBytes / 1_000_000;
  if (error.reason === "timeout") return fill(WORDS.slow, { seconds: LIMITS.answerMs / 1_000 });
  if (error.reason === "too_big") return fill(WORDS.large, { limit });
  return error.reason === "refused" ? fill(WORDS.notAllowed, { message: error.message }) : error.message;
}

const Refusal = z.object({ message: z.string() });

/** The status, and what the product says itself, should it say something: never the token that it was sent. */
function refusalReason({ token }: ListCall, status: number, body: string): string {
  const said = Refusal.safeParse(orNull(body)).data?.message ?? "";
  const masked = [token, ...token.split(".")].reduce((words, secret) => words.replaceAll(secret, "•••"), said);
  const message = masked
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, LIMITS.reason);
  return fill(message === "" ? WORDS.status : WORDS.statusWith, { status, message });
}

function orNull(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return null;
  }
}

export const accessError = ({ system }: Pick<ListCall, "system">, reason: string, cause?: unknown): AppError =>
  new AppError("access_error", { system, reason }, { cause });
