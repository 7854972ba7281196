/** A choice that its loaded options don't hold stays as it was chosen, with a message. */
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { queryClient } from "../../app/queries.ts";
import "../../app/words.ts";
import { ConfigForm } from "./config-form.tsx";

// What was loaded for a form before is not what is loaded here.
beforeEach(() => queryClient.clear());

test("a choice that is no option any more is kept and shown with a message; opening its form changes nothing", async () => {
  const changes: unknown[] = [];
  show(
    <QueryClientProvider client={queryClient}>
      <ConfigForm
        inputs={[{ name: "connector", label: "System", datatype: "reference", renderType: "connector" }]}
        values={{ connector: "crm" }}
        onChange={(values) => changes.push(values)}
        loadOptions={() => Promise.resolve([{ id: "billing", label: "Billing" }])}
      />
    </QueryClientProvider>,
  );
  await expect.element(page.getByText("This value is not available. Choose another one")).toBeVisible();
  await expect.element(page.getByRole("combobox", { name: "System" })).toHaveValue("crm");
  expect(changes).toEqual([]);
});

test("a choice among many that is passed by Tab stays, one that is no option any more too", async () => {
  const changes: unknown[] = [];
  const others = Array.from({ length: 9 }, (_, index) => ({ id: `system-${index}`, label: `System ${index}` }));
  show(
    <QueryClientProvider client={queryClient}>
      <ConfigForm
        inputs={[{ name: "connector", label: "System", datatype: "reference", renderType: "connector" }]}
        values={{ connector: "crm" }}
        onChange={(values) => changes.push(values)}
        loadOptions={() => Promise.resolve([{ id: "new", label: "CRM" }, ...others])}
      />
    </QueryClientProvider>,
  );
  await expect.element(page.getByText("This value is not available. Choose another one")).toBeVisible();
  const system = page.getByRole("combobox", { name: "System" });
  await system.click();
  await userEvent.keyboard("{Tab}");
  await expect.element(system).not.toHaveFocus();
  await expect.element(system).toHaveValue("crm");
  expect(changes).toEqual([]);
  await system.click();
  await userEvent.keyboard("CRM{Tab}");
  await expect.poll(() => changes).toEqual([{ connector: "new" }]);
});
