/** The list of changes in the publish dialog: every kind of change in words. */
import { CHANGED_PARTS, type UnpublishedChange } from "@accord/contracts/insights/dashboard-changes";
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../app/words.ts";
import { ChangeList } from "./change-list.tsx";

const change = (more: Partial<UnpublishedChange>): UnpublishedChange => ({
  ...{ kind: "dataCard", id: "a", displayName: "Countries", change: "updated", parts: [] },
  ...more,
});

test("cards that were added, removed, moved and changed are named with what happened to them", async () => {
  show(
    <ChangeList
      changes={[
        change({
          kind: "dashboard",
          displayName: "Sales",
          parts: [{ part: "displayName", before: "Sales", after: "Turnover" }],
        }),
        change({ parts: [{ part: "position" }, { part: "vizType", before: "COLUMN", after: "PIE" }] }),
        change({ id: "b", displayName: "Revenue", change: "added" }),
        change({ id: "c", displayName: "Delay", change: "removed" }),
        change({ id: "d", kind: "dataset", displayName: "Accounts", parts: [{ part: "columnRemoved", name: "City" }] }),
        change({
          id: "e",
          kind: "dataset",
          displayName: "Flights",
          parts: [{ part: "limit", before: "", after: "5" }],
        }),
      ]}
    />,
  );
  const lines = async (group: string) => {
    const items = page.getByRole("region", { name: group, exact: true }).getByRole("listitem");
    await expect.element(items.first()).toBeVisible();
    return items.elements().map((line) => line.textContent);
  };
  expect(await lines("Cards")).toEqual([
    "Countries moved, type changed from Column to Donut",
    "Revenue added",
    "Delay removed from this dashboard",
  ]);
  expect(await lines("Datasets")).toEqual(["Accounts column “City” removed", "Flights limit changed from none to 5"]);
  expect(await lines("Dashboard")).toEqual(["Sales renamed from “Sales” to “Turnover”"]);
});

test("every part has words of its own", async () => {
  show(
    <ChangeList changes={CHANGED_PARTS.map((part) => change({ id: part, displayName: part, parts: [{ part }] }))} />,
  );
  await expect.element(page.getByRole("listitem").first()).toBeVisible();
  const lines = page.getByRole("listitem").elements();
  expect(lines).toHaveLength(CHANGED_PARTS.length);
  for (const line of lines) expect(line.textContent).not.toContain("changes.part");
});

test("nothing to publish is said", async () => {
  show(<ChangeList changes={[]} />);
  await expect.element(page.getByText("Nothing differs from the published version.")).toBeVisible();
});
