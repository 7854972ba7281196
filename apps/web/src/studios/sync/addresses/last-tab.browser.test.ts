/** What is kept in the browser: a choice of an earlier version counts, and a storage that is shut costs no screen. */
import { afterEach, expect, test, vi } from "vitest";
import { lastTab, rememberTab } from "./last-tab.ts";
import { formWidth } from "../pipeline-editor/node-forms/panel-width.tsx";

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test("[SYN-008] the last tab is remembered; without one, or with one that is none, it is the details", () => {
  expect(lastTab()).toBe("details");
  rememberTab("relationships");
  expect(lastTab()).toBe("relationships");
  expect(JSON.parse(localStorage.getItem("accord.sync.tab") ?? "")).toBe("relationships");
  rememberTab("details");
  expect(lastTab()).toBe("details");
  for (const other of ["__proto__", '"__proto__"', "{", "7"]) {
    localStorage.setItem("accord.sync.tab", other);
    expect(lastTab(), other).toBe("details");
  }
});

test("a choice that an earlier version kept as plain text still counts", () => {
  localStorage.setItem("accord.sync.tab", "relationships");
  localStorage.setItem("accord.pipeline.formWidth", "xl");
  expect(lastTab()).toBe("relationships");
  expect(formWidth()).toBe(780);
});

test("where the storage is shut, nothing is kept and nothing fails", () => {
  vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
    throw new DOMException("The storage is shut.", "SecurityError");
  });
  expect(lastTab()).toBe("details");
  expect(() => rememberTab("relationships")).not.toThrow();
});
