/** The API document describes every endpoint, holds together, and is readable as a page. */
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";
import { referencePage } from "./reference-page.ts";

const document = openApiDocument(ENDPOINTS, { baseUrl: "http://localhost", cookieName: "accord_session" });
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test("every endpoint is an operation with a name of its own", () => {
  const names = operations.map((operation) => operation.operationId);
  expect(names.toSorted()).toEqual(ENDPOINTS.map((endpoint) => endpoint.name).toSorted());
  expect(new Set(names).size).toBe(names.length);
});

test("every reference leads somewhere", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? "");
  for (const reference of new Set(references)) {
    const parts = reference.split("/").map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const found = parts.reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], document);
    expect(found, reference).toBeDefined();
  }
});

test("path parameters are described and required", () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").toSorted();
    for (const operation of Object.values(methods)) {
      const described = operation.parameters.filter((parameter) => parameter.in === "path" && parameter.required);
      expect(described.map((parameter) => parameter.name).toSorted(), operation.operationId).toEqual(wanted);
    }
  }
});

test("the reference page names every operation and loads nothing", () => {
  const page = referencePage(document, "n0nce");
  for (const endpoint of ENDPOINTS) expect(page).toContain(`id="${endpoint.name}"`);
  expect(page).not.toMatch(/<script|https?:\/\/(?!localhost)|style="|onclick/);
});
