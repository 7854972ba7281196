/** Resyncing: a draft is warned about first, and what is missing is said once somebody has tried. */
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { pipelineRow } from "../../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { ResyncDialog } from "./resync-dialog.tsx";

const network = globalThis.fetch;
let posted: unknown[];
/** Lets the start that is on its way be answered. */
let answer: () => void;
beforeEach(() => {
  posted = [];
  queryClient.clear();
  globalThis.fetch = async (path, init) => {
    if (init?.method !== "POST") return network(path, init);
    posted.push(JSON.parse(String(init.body)));
    await new Promise<void>((resolve) => (answer = resolve));
    return Response.json({ code: "unavailable", message: "The worker is away." }, { status: 409 });
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

const place = (entityId: string) => ({
  ...{ connectorName: "Shop", connectorId: "c".repeat(24), connectorType: "postgres", entityId, entityName: entityId },
});
const published = pipelineRow({ name: "Account", sources: [place("orders"), place("customers")] });

function showDialog(row = published): () => number {
  let closed = 0;
  show(
    <QueryClientProvider client={queryClient}>
      <ResyncDialog row={row} onClose={() => closed++} />
    </QueryClientProvider>,
  );
  return () => closed;
}
const resync = () => page.getByRole("button", { name: "Resync", exact: true });
const from = () => page.getByLabelText("From");

test("[SYN-030] a pipeline without a draft is asked about at once; one with a draft is warned about first, and cancelling starts nothing", async () => {
  showDialog();
  await expect.element(page.getByRole("dialog", { name: "Resync Account" })).toBeVisible();
  await expect.element(page.getByRole("checkbox", { name: "Shop · orders" })).toBeChecked();

  const closed = showDialog({ ...published, name: "Contact", pipelineStatus: "PUBLISHED_WITH_DRAFT" });
  const warning = page.getByRole("dialog", { name: "Contact has a draft" });
  await expect.element(warning).toBeVisible();
  expect(warning.getByRole("checkbox").elements()).toHaveLength(0);
  await warning.getByRole("button", { name: "Cancel" }).click();
  expect([closed(), posted]).toEqual([1, []]);
  await warning.getByRole("button", { name: "Continue with the published version" }).click();
  await expect.element(page.getByRole("dialog", { name: "Resync Contact" })).toBeVisible();
});

test("[SYN-109] nothing is red before the first attempt; an attempt says what is missing, and starts nothing", async () => {
  const closed = showDialog();
  await page.getByRole("radio", { name: "Changed after" }).click();
  await expect.element(resync()).toBeDisabled();
  await expect.element(from()).not.toHaveAttribute("aria-invalid", "true");
  // A press on what is off; by keyboard it is reached as well.
  await resync().click({ force: true });
  await expect.element(from()).toHaveAttribute("aria-invalid", "true");
  await expect.element(page.getByText("Choose a from date.")).toBeVisible();
  expect(posted).toEqual([]);

  await from().fill("2026-01-31T10:20");
  await expect.element(resync()).toBeEnabled();
  await expect.element(from()).not.toHaveAttribute("aria-invalid", "true");
  resync().element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => posted).toMatchObject([{ scope: "after", to: null }]);
  // Nobody starts it twice, nor leaves while it is on its way.
  await expect.element(resync()).toBeDisabled();
  await expect.element(page.getByRole("button", { name: "Cancel" })).toBeDisabled();
  await userEvent.keyboard("{Escape}");
  expect(closed()).toBe(0);
  answer();
  await expect.element(page.getByText("The worker is away.")).toBeVisible();
  await expect.element(resync()).toBeEnabled();
  await userEvent.keyboard("{Escape}");
  expect(closed()).toBe(1);
});
