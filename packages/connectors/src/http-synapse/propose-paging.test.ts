/** Paging that an answer speaks of, as APIs in the wild answer. */
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { proposePaging } from "./propose-paging.ts";

const propose = (json: Value, headers = {}, query = "") =>
  proposePaging(json, headers, { records: "data", asked: new URL(`https://api.example.com/things${query}`) });

const DATA = [{ id: 1, next: "https://elsewhere.example/1", page: 3 }];

test.each<[string, Value, Record<string, string>, string, object]>([
  [
    "a link header",
    DATA,
    { link: '<https://api.example.com/things?page=2>; rel="next", <x>; rel="last"' },
    "",
    { kind: "linkHeader" },
  ],
  [
    "a nested next link",
    { data: DATA, links: { next: "/things?page=2" } },
    {},
    "",
    { kind: "nextLink", linkSelector: "links.next" },
  ],
  [
    "an OData next link",
    { data: DATA, "@odata.nextLink": "https://api.example.com/things?$skip=2" },
    {},
    "",
    { kind: "nextLink", linkSelector: '["@odata.nextLink"]' },
  ],
  [
    "a page token",
    { data: DATA, nextPageToken: "abc" },
    {},
    "",
    { kind: "cursor", cursorSelector: "nextPageToken", cursorParam: "pageToken" },
  ],
  [
    "a cursor in metadata",
    { data: DATA, meta: { next_cursor: "abc" } },
    {},
    "",
    { kind: "cursor", cursorSelector: "meta.next_cursor", cursorParam: "cursor" },
  ],
  [
    "an offset with a limit",
    { data: DATA, offset: 0, limit: 25, total: 90 },
    {},
    "",
    { kind: "offset", offsetParam: "offset", limitParam: "limit", size: 25 },
  ],
  [
    "a page number",
    { data: DATA, page: 1, per_page: 20, total_pages: 4 },
    {},
    "",
    { kind: "page", pageParam: "page", firstPage: 1, sizeParam: "per_page", size: 20 },
  ],
  [
    "a page number in the address",
    { data: DATA },
    {},
    "?page=1&limit=5",
    { kind: "page", sizeParam: "limit", size: 5 },
  ],
  ["more without a place", { data: DATA, has_more: true }, {}, "", { kind: "lastRecord" }],
])("[PLT-041] %s", (_, json, headers, query, paging) => {
  const [first] = propose(json, headers, query);
  expect(first?.paging).toMatchObject(paging);
});

test("[PLT-041] records say nothing of the list, and an answer without paging proposes none", () => {
  expect(propose({ data: DATA })).toEqual([]);
  expect(propose({ data: DATA, total: 1 })).toEqual([]);
});

test("[PLT-041] a total and whether more follow come with it", () => {
  const [proposal] = propose({ data: DATA, offset: 0, total: 90, has_more: true });
  expect(proposal?.stop).toEqual({ totalSelector: "total", hasMoreSelector: "has_more" });
});
