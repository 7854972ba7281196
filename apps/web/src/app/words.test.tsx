/** Words in components: waited for where their catalogue is not there yet, and looked up with the values of each time. */
import { show } from "@accord/ui/test-kit";
import { Suspense, useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { useWords } from "./words.ts";

afterEach(() => void vi.restoreAllMocks());

function Counted() {
  const { t } = useWords("sync");
  const [count, setCount] = useState(1);
  return (
    <>
      <h2>{t("editor.draft")}</h2>
      <p>{t("editor.nodes", { count })}</p>
      <button type="button" onClick={() => setCount(count + 1)}>
        {t("shell:action.close")}
      </button>
    </>
  );
}

test("a screen waits for its words, and says each time the number it is given", async () => {
  const complaints = vi.spyOn(console, "error");
  show(
    <Suspense fallback={<p>Words are loaded</p>}>
      <Counted />
    </Suspense>,
  );
  await expect.element(page.getByRole("heading", { name: "Draft", exact: true })).toBeVisible();
  await expect.element(page.getByText("1 node", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect.element(page.getByText("2 nodes", { exact: true })).toBeVisible();
  expect(complaints).not.toHaveBeenCalled();
});

function Words({ seen }: { seen: unknown[] }) {
  seen.push(useWords("sync").t);
  return null;
}

test("the same words are the same function everywhere, so that nothing is made anew for it", async () => {
  const seen: unknown[] = [];
  show(
    <Suspense>
      <Words seen={seen} />
      <Words seen={seen} />
    </Suspense>,
  );
  await expect.poll(() => seen.length).toBeGreaterThan(1);
  expect(new Set(seen).size).toBe(1);
});
