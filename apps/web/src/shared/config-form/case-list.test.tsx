/** Names of cases are stored only where edges can follow them: given, and each its own. */
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { QueryClientProvider } from "@tanstack/react-query";
import { queryClient } from "../../app/queries.ts";
import "../../app/words.ts";
import { ConfigForm } from "./config-form.tsx";

function Form({ onNames }: { onNames: (cases: unknown) => void }) {
  const [values, setValues] = useState<Record<string, unknown>>({ cases: [{ name: "Big" }, { name: "Small" }] });
  return (
    <ConfigForm
      inputs={[{ name: "cases", label: "Cases", datatype: "case", repeatable: true }]}
      values={values}
      onChange={(next) => {
        setValues(next);
        onNames(next["cases"]);
      }}
    />
  );
}

test("a case keeps its name until another one is given that is not taken", async () => {
  let stored: unknown;
  show(
    <QueryClientProvider client={queryClient}>
      <Form onNames={(cases) => (stored = cases)} />
    </QueryClientProvider>,
  );
  const name = page.getByRole("textbox", { name: "Name", exact: true }).last();
  await name.fill("");
  await expect.element(page.getByText("Give a name. Until then it is called “Small”")).toBeVisible();
  await name.fill("big");
  await expect.element(page.getByText(/This name is taken/)).toBeVisible();
  expect(stored).toBe(undefined);
  await name.fill("Bigger");
  await expect.poll(() => stored).toMatchObject([{ name: "Big" }, { name: "Bigger" }]);
  await expect.element(page.getByText(/This name is taken/)).not.toBeInTheDocument();
});

test("a case that is added takes the focus at its name", async () => {
  show(
    <QueryClientProvider client={queryClient}>
      <Form onNames={() => {}} />
    </QueryClientProvider>,
  );
  await page.getByRole("button", { name: "Add case" }).click();
  const names = page.getByRole("textbox", { name: "Name", exact: true });
  await expect.poll(() => names.elements().length).toBe(3);
  await expect.element(names.last()).toHaveFocus();
});

test("the types of a case's value are said in words", async () => {
  let stored: unknown;
  show(
    <QueryClientProvider client={queryClient}>
      <Form onNames={(cases) => (stored = cases)} />
    </QueryClientProvider>,
  );
  const type = page.getByRole("combobox", { name: "Type" }).first();
  await expect.element(type).toHaveValue("Text");
  await type.click();
  await page.getByRole("option", { name: "Exact number" }).click();
  await expect.poll(() => stored).toMatchObject([{ name: "Big", dataType: "decimal" }, { name: "Small" }]);
});
