/** A name that is changed where it stands: kept, given up, refused. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { InlineEdit } from "./inline-edit.tsx";

function Named({ refuse }: { refuse?: string }) {
  const [name, setName] = useState("Accounts");
  return (
    <InlineEdit
      value={name}
      label="Name"
      onSave={async (next) => {
        if (refuse) throw new Error(refuse);
        setName(next);
      }}
    />
  );
}

const start = () => page.getByRole("button", { name: "Edit Name: Accounts" }).click();

test("Enter keeps what was typed, without the spaces around it", async () => {
  show(<Named />);
  await start();
  await page.getByRole("textbox", { name: "Name" }).fill("  Customers ");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("button", { name: "Edit Name: Customers" })).toBeVisible();
});

test("Esc gives up, and an empty name changes nothing", async () => {
  show(<Named />);
  await start();
  await page.getByRole("textbox", { name: "Name" }).fill("Other");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("button", { name: "Edit Name: Accounts" })).toBeVisible();
  await start();
  await page.getByRole("textbox", { name: "Name" }).fill(" ");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("button", { name: "Edit Name: Accounts" })).toBeVisible();
});

test("a refusal stays under the input together with what was typed", async () => {
  show(<Named refuse="This name is taken." />);
  await start();
  await page.getByRole("textbox", { name: "Name" }).fill("Flights");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("This name is taken.")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Name" })).toHaveValue("Flights");
});
