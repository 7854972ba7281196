/** Exploring proposes charts at once; rows are cut, filtered and ordered in the card; the name comes last. */
import axe from "axe-core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { hasUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { UnsavedGuard } from "../../../shared/unsaved-changes/unsaved-guard.tsx";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { ExploreScreen } from "./explore-screen.tsx";
import { forEachTest, ids, type WizardServer } from "./wizard-server.fixtures.ts";

let server: WizardServer;
forEachTest((started) => (server = started));

const Guarded = () => (
  <>
    <ExploreScreen />
    <UnsavedGuard />
  </>
);
const explore = (search = `?dataset=${ids.dataset}`) =>
  showScreens(
    { "/insights-studio/explore": Guarded, "/insights-studio/cards": () => <p>Cards</p> },
    `/insights-studio/explore${search}`,
  );
const button = (name: string) => page.getByRole("button", { name, exact: true });
const written = () => JSON.stringify(server.writes.at(-1)?.body);

test("the best proposal is drawn at once, others are chosen by name, and the name of the card is proposed at last", async () => {
  explore();
  await expect.element(button("Amount by Status")).toHaveAttribute("aria-pressed", "true");
  await expect.poll(() => server.previews.at(-1)?.vizType).toBe("BAR");
  expect(hasUnsavedChanges()).toBe(false);
  await button("Amount in total").click();
  await expect.poll(() => server.previews.at(-1)?.vizType).toBe("METRIC");
  expect(hasUnsavedChanges()).toBe(true);
  await button("Save as a card…").click();
  const name = page.getByRole("dialog").getByRole("textbox", { name: "Display name" });
  await expect.element(name).toHaveValue("Amount in total");
  await name.fill("");
  await button("Save card").click();
  await expect.element(page.getByText("Display name cannot be empty.")).toBeVisible();
  expect(server.writes).toEqual([]);
  await name.fill("All of it");
  await button("Save card").click();
  await expect.element(page.getByText("Cards", { exact: true })).toBeVisible();
  expect(server.writes.at(-1)).toMatchObject({
    method: "POST",
    path: "/datacards",
    body: { displayName: "All of it" },
  });
});

test("a number of categories and a filter belong to the card; a condition that is half written filters nothing", async () => {
  explore();
  await expect.element(button("Amount by Status")).toBeVisible();
  await page.getByRole("textbox", { name: "Show at most" }).fill("3");
  await expect.poll(() => server.previews.at(-1)?.top).toBe(3);
  await button("Add condition").click();
  await button("Save as a card…").click();
  await page.getByRole("dialog").getByRole("button", { name: "Save card" }).click();
  await expect.poll(written).toContain('"top":3');
  expect(written()).toContain('"filter":{"type":"group","combinator":"and","children":[]}');
});

test("a chart that was changed is not replaced without a question, by a proposal or by another dataset", async () => {
  const router = explore();
  await expect.element(button("Amount by Status")).toHaveAttribute("aria-pressed", "true");
  // A proposal that nobody changed is no work of anybody's.
  await button("Amount in total").click();
  await button("Amount by Status").click();
  const top = page.getByRole("textbox", { name: "Show at most" });
  await top.fill("3");
  const dialog = page.getByRole("dialog");
  await button("Amount in total").click();
  await expect.element(page.getByRole("dialog", { name: "Discard your changes?" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(top).toHaveValue("3");
  const dataset = page.getByRole("combobox", { name: "Dataset", exact: true });
  const chooseVisits = async () => {
    await dataset.click();
    await page.getByRole("option", { name: "Visits (Deal)" }).click();
  };
  await chooseVisits();
  await expect.element(page.getByRole("dialog", { name: "Leave without saving?" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel", exact: true }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  await expect.element(top).toHaveValue("3");
  expect(router.state.location.search["dataset"]).toBe(ids.dataset);
  await button("Amount in total").click();
  await button("Show the proposed chart").click();
  await expect.element(button("Amount in total")).toHaveAttribute("aria-pressed", "true");
  await chooseVisits();
  await button("Leave without saving").click();
  await expect.poll(() => router.state.location.search["dataset"]).toBe(ids.otherDataset);
});

test("a change of type and back loses nothing of a chart that is explored", async () => {
  explore();
  await expect.element(button("Amount by Status")).toHaveAttribute("aria-pressed", "true");
  const type = (name: string) => page.getByRole("radio", { name, exact: true });
  await type("Metric").click();
  await expect.poll(() => server.previews.at(-1)?.vizType).toBe("METRIC");
  await type("Bar").click();
  await button("Save as a card…").click();
  await page.getByRole("dialog").getByRole("button", { name: "Save card" }).click();
  await expect.poll(written).toContain('"vizType":"BAR"');
  expect(written()).toContain('"column":"status"');
});

test("without a dataset one is asked for; axe finds nothing wrong with the proposals", async () => {
  explore("");
  await expect.element(page.getByText("Choose a dataset to see what can be shown of it.")).toBeVisible();
  await page.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: "Deals (Deal)" }).click();
  await expect.element(page.getByRole("group", { name: "Proposed charts" })).toBeVisible();
  expect((await axe.run(document.querySelector(".ac-explore__proposals")!)).violations).toEqual([]);
});
