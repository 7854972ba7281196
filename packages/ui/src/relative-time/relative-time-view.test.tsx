/** A moment that is replaced by another one, long after the first was shown. */
import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { RelativeTime } from "./relative-time-view.tsx";

function Moments() {
  const [at, setAt] = useState<string | null>(null);
  return (
    <>
      <button onClick={() => setAt("2026-01-01T12:10:00Z")}>It came</button>
      <RelativeTime at={at} />
    </>
  );
}

afterEach(() => void vi.useRealTimers());

test("another moment is shown by its own age, however long the first one stood there", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-01-01T12:00:00Z") });
  show(<Moments />);
  await expect.element(page.getByText("–")).toBeVisible();
  vi.setSystemTime(Date.parse("2026-01-01T13:00:00Z"));
  await page.getByRole("button", { name: "It came" }).click();
  await expect.element(page.getByText("50 minutes ago")).toBeVisible();
});
