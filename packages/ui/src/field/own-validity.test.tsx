/** A form sent too early: the words stand at the field, and go when it is changed. */
import { TextInput } from "@mantine/core";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../test-kit/show.tsx";

function Form() {
  return (
    <form>
      <TextInput label="E-mail address" type="email" required />
      <TextInput label="First name" required />
      <button type="submit">Send</button>
    </form>
  );
}

test("what is missing or malformed is said at the field, which gets the focus; typing takes it back", async () => {
  show(<Form />);
  const address = page.getByRole("textbox", { name: "E-mail address" });
  await page.getByRole("button", { name: "Send" }).click();
  await expect.element(page.getByText("E-mail address is needed.")).toBeVisible();
  await expect.element(page.getByText("First name is needed.")).toBeVisible();
  await expect.element(address).toHaveFocus();
  await expect.element(address).toHaveAttribute("aria-invalid", "true");
  await expect.element(address).toHaveAccessibleDescription("E-mail address is needed.");
  await userEvent.type(address, "ada");
  await expect.element(page.getByText("E-mail address is needed.")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Send" }).click();
  await expect.element(page.getByText("E-mail address is no e-mail address", { exact: false })).toBeVisible();
});
