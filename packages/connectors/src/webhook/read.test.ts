/** Where history begins counts until a first post was read; from then on the number of the last post alone. */
import type { Cursor, InboxRequest } from "@accord/connector-sdk";
import { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import { expect, test } from "vitest";
import { WebhookConfig } from "./config.ts";
import { readPosts } from "./read.ts";

const entity = EntitySchema.parse({
  apiName: "posts",
  displayName: "Post",
  fields: [FieldSchema.parse({ apiName: "id", displayName: "Id" })],
});
const config = WebhookConfig.parse({ sample: '{"id":"a"}', idSelector: "id" });

test("a post that came before history begins is read all the same once there is a position", async () => {
  const inbox: { number: number; at: string; body: string }[] = [];
  const arrive = (id: string, at: string): void =>
    void inbox.push({ number: inbox.length + 1, at, body: JSON.stringify({ id }) });
  const readInbox = async ({ after, count, since }: InboxRequest) => {
    const found = inbox.filter(({ number, at }) => number > after && (!since || at >= since.toISOString()));
    return { posts: found.slice(0, count), isFull: found.length >= count };
  };
  const read = async (cursor: Cursor | null) => {
    const since = cursor === null ? new Date("2026-02-01T00:00:00.000Z") : undefined;
    const request = { entity, fields: ["id"], mode: "changes" as const, pageSize: 10, cursor };
    const page = await readPosts(readInbox, config, since ? { ...request, since } : request);
    return { ids: page.records.map(({ id }) => id), cursor: page.cursor };
  };
  arrive("before", "2026-01-31T00:00:00.000Z");
  const nothing = await read(null);
  expect(nothing.ids).toEqual([]);
  arrive("still before", "2026-01-31T12:00:00.000Z");
  arrive("first", "2026-02-02T00:00:00.000Z");
  const first = await read(nothing.cursor);
  expect(first.ids).toEqual(["first"]);
  // The clock of the server was set back.
  arrive("late", "2026-01-30T00:00:00.000Z");
  expect((await read(first.cursor)).ids).toEqual(["late"]);
});
