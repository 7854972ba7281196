/** The tab that the studio opens with. */
import { expect, test } from "vitest";
import { lastTab, rememberTab } from "./last-tab.ts";

const storage = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  };
};

test("[SYN-008] the last tab is remembered; without one, or with one that is none, it is the details", () => {
  const browser = storage();
  expect(lastTab(browser)).toBe("details");
  rememberTab("relationships", browser);
  expect(lastTab(browser)).toBe("relationships");
  rememberTab("details", browser);
  expect(lastTab(browser)).toBe("details");
  expect(lastTab({ getItem: () => "__proto__" })).toBe("details");
});
