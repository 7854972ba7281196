/** Small rules of the shell: words of refusals, names in breadcrumbs, search over instances, titles. */
import { expect, test } from "vitest";
import { messageOf, toApiError } from "./api-error.ts";
import { isLookedUp } from "./crumb-names.ts";
import { documentTitle } from "./page.ts";
import { findInstances } from "./find-instances.ts";

test("[PLT-138] a refusal's words: text, message field, joined errors, the default, else Error", () => {
  expect(messageOf("Plain")).toBe("Plain");
  expect(messageOf({ message: "From the server" })).toBe("From the server");
  expect(messageOf({ errors: ["One.", { path: "a", message: "Two." }] })).toBe("One. Two.");
  expect(messageOf({}, "Default")).toBe("Default");
  expect(messageOf(undefined)).toBe("Error");
  expect(messageOf("<html>bad gateway</html>", "Default")).toBe("Default");
});

test("[PLT-136] a proxy's 502 reads as a server error; a 404 is one whatever its body", () => {
  expect(toApiError(502, "<html></html>").message).toBe("Server error");
  expect(toApiError(404, undefined)).toMatchObject({ status: 404, code: "not_found" });
  expect(toApiError(409, { code: "stale_version", message: "m", details: { version: 3 } }).details).toEqual({
    version: 3,
  });
});

test("[PLT-027] short ids are looked up only for kinds whose samples have short ids", () => {
  expect(isLookedUp("connector", "sampleDash1")).toBe(false);
  expect(isLookedUp("dashboard", "sampleDash1")).toBe(true);
  expect(isLookedUp("connector", "65a1f00000000000000000aa")).toBe(true);
});

test("[PLT-091] instances are found by display name, organisation and id in any case", () => {
  const all = [
    { displayName: "Harbour", orgName: "Northwind", accordId: "65a1f00000000000000000aa" },
    { displayName: "Test", orgName: "Northwind", accordId: "65a1f00000000000000000bb" },
  ];
  expect(findInstances(all, "HARB")).toHaveLength(1);
  expect(findInstances(all, "northWIND")).toHaveLength(2);
  expect(findInstances(all, "00BB")).toHaveLength(1);
});

test("[PLT-031] the document title is the page's name, a dash, and the product's name", () => {
  expect(documentTitle("Users")).toBe("Users - Accord");
  expect(documentTitle("")).toBe("Accord");
});
