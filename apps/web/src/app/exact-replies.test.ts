/** Numbers beyond JavaScript's on their way through the page: read, refreshed, shown, edited and sent back. */
import { expect, test } from "vitest";
import { parseReply, shareReply } from "./exact-replies.ts";

const TEXT = '{"id":12345678901234567890,"rate":1.10,"plain":1.5}';

test("a reply goes back as it came, to the last digit", () => {
  expect(JSON.stringify(parseReply(TEXT))).toBe(TEXT);
  expect(parseReply('{"plain":1.5}')).toEqual({ plain: 1.5 });
});

test("a refresh keeps exact numbers, and the objects of what has not changed", () => {
  const changed = TEXT.replace("1.5", "2.5");
  expect(JSON.stringify(shareReply(parseReply(TEXT), parseReply(changed)))).toBe(changed);
  const shown = { list: [{ a: 1 }], total: 1 };
  const next = shareReply(shown, { list: [{ a: 1 }], total: 2 }) as typeof shown;
  expect(next).toEqual({ list: [{ a: 1 }], total: 2 });
  expect(next.list).toBe(shown.list);
});
