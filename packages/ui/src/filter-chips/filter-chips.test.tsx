/** Active filters: taken off one by one or all at once, each named for screen readers. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { FilterChips } from "./filter-chips.tsx";

function Filters() {
  const [active, setActive] = useState(["Status is Active", "Country is Austria", "Revenue over 100"]);
  const chips = active.map((label) => ({
    id: label,
    label,
    onRemove: () => setActive((old) => old.filter((other) => other !== label)),
  }));
  return <FilterChips chips={chips} onClear={() => setActive([])} />;
}

test("one filter is taken off, then all; without any there is nothing to see", async () => {
  show(<Filters />);
  await page.getByRole("button", { name: "Remove filter Country is Austria" }).click();
  await expect.element(page.getByText("Country is Austria")).not.toBeInTheDocument();
  await expect.element(page.getByText("Status is Active")).toBeVisible();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect.element(page.getByRole("list")).not.toBeInTheDocument();
});
