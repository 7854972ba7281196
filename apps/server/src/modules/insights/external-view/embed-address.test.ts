/** Pages of the external product: always of its origin and below its address, whatever an id holds. */
import { ExternalViewDefinition } from "@accord/contracts/insights/external-view";
import fc from "fast-check";
import { expect, test } from "vitest";
import { kindsOfPage, pageAddress, withToken } from "./embed-address.ts";

const definition = (change: object = {}) =>
  ExternalViewDefinition.parse({ name: "P", address: "https://bi.example.com/embed/?theme=plain", ...change });
const hrefOf = (
  view: "dashboard" | "dataset" | "datasetCopy" | "dataCard" | "path",
  key: string,
  change: object = {},
) => pageAddress(definition(change), { view, key })?.href ?? null;

test("each kind of page has its path, which can be changed; the query of the address stays", () => {
  expect(hrefOf("dashboard", "7")).toBe("https://bi.example.com/embed/dashboards/7?theme=plain");
  expect(hrefOf("dataset", "orders")).toBe("https://bi.example.com/embed/datasets/orders?theme=plain");
  expect(hrefOf("datasetCopy", "orders")).toBe("https://bi.example.com/embed/datasets/orders/copy?theme=plain");
  expect(hrefOf("dataCard", "a b/ü?#")).toBe("https://bi.example.com/embed/datacards/a%20b%2F%C3%BC%3F%23?theme=plain");
  expect(hrefOf("dashboard", "$&{id}", { paths: { dashboard: "d-{id}.html" } })).toBe(
    "https://bi.example.com/embed/d-%24%26%7Bid%7D.html?theme=plain",
  );
  expect(hrefOf("path", "")).toBe("https://bi.example.com/embed/?theme=plain");
  expect(hrefOf("path", "a/b c")).toBe("https://bi.example.com/embed/a/b%20c?theme=plain");
});

test("the token stands in the query or the fragment, under its name", () => {
  const page = pageAddress(definition(), { view: "path", key: "x" })!;
  expect(withToken(page, definition({ tokenName: "jwt" }), "a.b.c")).toBe(
    "https://bi.example.com/embed/x?theme=plain&jwt=a.b.c",
  );
  expect(withToken(page, definition({ tokenIn: "fragment" }), "a.b.c")).toBe(
    "https://bi.example.com/embed/x?theme=plain#token=a.b.c",
  );
});

test("what stands behind the question mark stays as it is written, but for an old token", () => {
  const address = "https://bi.example.com/embed?flag&q=a+b%20c&token=old&to%6ben=older&x=%7B~%7D&&tokens=1";
  const page = pageAddress(definition({ address }), { view: "path", key: "x" })!;
  expect(withToken(page, definition({ address }), "a.b.c")).toBe(
    "https://bi.example.com/embed/x?flag&q=a+b%20c&x=%7B~%7D&&tokens=1&token=a.b.c",
  );
});

test("a slash at the end stays", () => {
  expect(hrefOf("path", "boards/weekly/")).toBe("https://bi.example.com/embed/boards/weekly/?theme=plain");
  expect(hrefOf("dashboard", "7", { paths: { dashboard: "d/{id}/" } })).toBe(
    "https://bi.example.com/embed/d/7/?theme=plain",
  );
});

test("a path is known as the page that it is", () => {
  const kinds = (key: string, change: object = {}) => {
    const places = definition(change);
    return kindsOfPage(places, pageAddress(places, { view: "path", key })!);
  };
  expect(kinds("datasets/orders/copy")).toEqual(["datasetCopy"]);
  for (const key of ["DataSets/orders", "datasets//orders/", "/datasets/a%b"]) expect(kinds(key)).toEqual(["dataset"]);
  expect(kinds("datacards/ü")).toEqual(["dataCard"]);
  for (const key of ["", "datasets", "datasets/a/b/copy", "boards/7", "x/datasets/a"]) expect(kinds(key)).toEqual([]);
  const paths = { dataset: "s e t/{id}", dataCard: "c-{id}-{id}.html" };
  expect(kinds("s e t/1", { paths })).toEqual(["dataset"]);
  expect(kinds("c-1-1.html", { paths })).toEqual(["dataCard"]);
  for (const key of ["c-1.html", "c-1-1.htm", "d-1-1.html"]) expect(kinds(key, { paths })).toEqual([]);
  const long = { paths: { dataset: `${"{id}a".repeat(59)}b` } };
  expect(kinds("a".repeat(2_000), long)).toEqual([]);
});

test("no id and no path leads out of the address", () => {
  for (const key of ["..", ".", "a/../../b", "./a"]) expect(hrefOf("path", key)).toBeNull();
  for (const key of ["..", "a/../../b", "..\\b"]) expect(hrefOf("dashboard", key)).toBeNull();
  const hostile = fc.oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.constantFrom("\ud800", "a/\udc00"),
    fc
      .array(fc.constantFrom("..", ".", "/", "\\", "%2e", "%2f", "@", ":", "//evil.example", "?", "#", "a"), {
        maxLength: 8,
      })
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(hostile, fc.constantFrom("dashboard", "path" as const), (key, view) => {
      const page = pageAddress(definition(), { view, key });
      if (page === null) return;
      expect(page.origin).toBe("https://bi.example.com");
      expect(page.pathname.startsWith("/embed/")).toBe(true);
      expect(page.pathname.split("/")).not.toContain("..");
      if (view === "dashboard") expect(page.pathname.split("/")).toHaveLength(4);
    }),
    { numRuns: 500 },
  );
});
