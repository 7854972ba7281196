/**
 * Reads posts in the order of their numbers, a page bounded by posts, bytes and records. Where history begins counts for
 * the first read alone: what a reader with a position has not seen is read, whenever it came.
 */
import {
  ConnectorError,
  type Cursor,
  type InboxPage,
  type InboxRequest,
  type ReadPage,
  type ReadRequest,
} from "@accord/connector-sdk";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import { z } from "zod";
import type { WebhookConfig } from "./config.ts";
import { readPayload, recordsIn } from "./records.ts";

/** Bodies of one page, together. */
const MAX_PAGE_BYTES = 8_000_000;
/** Records of one page: a post may hold many small ones. */
const MAX_PAGE_RECORDS = 5_000;

const Position = z.strictObject({
  /** Number of the last post that was read whole. */
  after: z.int(),
  /** Records of the next post that were read already. */
  skip: z.int(),
  /** ISO. Where history begins, until a first post was read. */
  since: z.string().nullable(),
});
type Position = z.infer<typeof Position>;

type Inbox = (request: InboxRequest) => Promise<InboxPage>;

export async function readPosts(readInbox: Inbox, config: WebhookConfig, request: ReadRequest): Promise<ReadPage> {
  const { entity, mode, since, until, pageSize } = request;
  const position = positionOf(request);
  const from = mode === "all" ? since : position.since === null ? undefined : new Date(position.since);
  const { posts, isFull } = await readInbox({
    after: position.after,
    count: pageSize,
    maxBytes: MAX_PAGE_BYTES,
    ...(from ? { since: from } : {}),
    ...(until && mode === "all" ? { until } : {}),
  });
  const page: Required<Pick<ReadPage, "records" | "bad">> = { records: [], bad: [] };
  let { after, skip } = position;
  for (const { number, body } of posts) {
    const room = MAX_PAGE_RECORDS - page.records.length - page.bad.length;
    const payload = parse(body);
    const found = payload === undefined ? [] : recordsIn(payload, config);
    const part = found.slice(skip, skip + room);
    const { records, bad } = readPayload(part, config, entity.fields, { post: `post ${number}`, first: skip + 1 });
    page.records.push(...records);
    page.bad.push(...bad);
    if (payload === undefined)
      page.bad.push({ place: `post ${number}`, message: "It is not JSON.", excerpt: body.slice(0, 500) });
    if (skip + part.length < found.length) {
      const cursor: Position = { after, skip: skip + part.length, since: position.since };
      return { ...page, cursor, drained: false };
    }
    [after, skip] = [number, 0];
  }
  const cursor: Position = { after, skip, since: posts.length > 0 ? null : position.since };
  return { ...page, cursor, drained: !isFull };
}

function positionOf({ cursor, mode, since }: Pick<ReadRequest, "cursor" | "mode" | "since">): Position {
  if (cursor === null) return { after: 0, skip: 0, since: mode === "changes" ? (since?.toISOString() ?? null) : null };
  return parsePosition(cursor);
}

/** Number of the last post that a stored position has read whole; 0 for none. */
export const lastPostRead = (cursor: Cursor): number => (cursor === null ? 0 : parsePosition(cursor).after);

/** A bare number is the last post read, as earlier versions kept it. */
function parsePosition(cursor: Cursor): Position {
  if (typeof cursor === "number") return { after: cursor, skip: 0, since: null };
  const parsed = Position.safeParse(cursor);
  if (parsed.success) return parsed.data;
  throw new ConnectorError("configuration", "The stored reading position can't be understood.", {
    hint: "Resync this source to start from the beginning.",
  });
}

function parse(body: string): Value | undefined {
  try {
    const payload = parseExactJson(body);
    return payload;
  } catch {
    return undefined;
  }
}
