/** Options found by typing: Enter takes the best match, Tab what is named in full; nothing else changes what is chosen. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { SearchSelect, type SearchSelectProps } from "./search-select.tsx";

let value: string | null;
let changes: number;

function Choice({ data, first }: { data: NonNullable<SearchSelectProps["data"]>; first: string | null }) {
  const [chosen, setChosen] = useState(first);
  return (
    <>
      <SearchSelect
        label="Field"
        data={data}
        value={chosen}
        onChange={(next) => {
          changes++;
          value = next;
          setChosen(next);
        }}
      />
      <button type="button">After</button>
    </>
  );
}

const option = (label: string, key = label.toLowerCase()) => ({ value: key, label });
const FIELDS = [option("Billing name"), option("Country"), option("Name of owner"), option("Name")];
const field = () => page.getByRole("combobox", { name: "Field" });
const options = () =>
  page
    .getByRole("option")
    .elements()
    .map((element) => element.textContent);
const marked = () => document.querySelector("[data-combobox-selected]")?.textContent;
const after = () => page.getByRole("button", { name: "After" });

async function open(data: NonNullable<SearchSelectProps["data"]>, first: string | null): Promise<void> {
  [value, changes] = [first, 0];
  show(<Choice data={data} first={first} />);
  await expect.element(field()).toBeVisible();
  await field().click();
  await expect.element(field()).toHaveFocus();
}

test("the name of what is chosen already, typed with Enter, changes nothing", async () => {
  await open(FIELDS, "country");
  await userEvent.keyboard("Country");
  await expect.poll(options).toEqual(["Country"]);
  await expect.poll(marked).toBe("Country");
  await userEvent.keyboard("{Enter}");
  await expect.poll(options).toEqual([]);
  await expect.element(field()).toHaveValue("Country");
  expect([value, changes]).toEqual(["country", 0]);
});

test("an exact name comes before names that begin with it, and these before names that contain it; Enter and Tab agree", async () => {
  for (const key of ["{Enter}", "{Tab}"]) {
    await open(FIELDS, "country");
    await userEvent.keyboard("name");
    await expect.poll(options).toEqual(["Name", "Name of owner", "Billing name"]);
    await expect.poll(marked).toBe("Name");
    await userEvent.keyboard(key);
    await expect.poll(() => value).toBe("name");
    await expect.element(field()).toHaveValue("Name");
  }
});

test("the best match of all groups comes first, and arrows go on from it", async () => {
  const groups = [
    { group: "CRM", items: [option("Billing name"), option("Country")] },
    { group: "Core", items: [option("Name")] },
  ];
  await open(groups, "country");
  await userEvent.keyboard("nam");
  await expect.poll(options).toEqual(["Name", "Billing name"]);
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => value).toBe("name");
  await userEvent.keyboard("{Control>}a{/Control}nam");
  await expect.poll(marked).toBe("Name");
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.poll(() => value).toBe("billing name");
});

test("an input that is passed without typing changes nothing, where options share a name too", async () => {
  await open([option("Status", "crm"), option("status", "core"), option("Status", "billing")], "billing");
  await userEvent.keyboard("{Tab}");
  await expect.element(after()).toHaveFocus();
  expect([value, changes]).toEqual(["billing", 0]);
  await expect.element(field()).not.toHaveAttribute("aria-invalid", "true");
});

test("of names that differ in case alone the one as typed is taken; of several with one name none, which is said", async () => {
  await open([option("Status", "crm"), option("status", "core"), option("Country")], "country");
  await userEvent.keyboard("status{Tab}");
  await expect.poll(() => value).toBe("core");
  await open([option("Status", "crm"), option("Status", "core"), option("Country")], "country");
  await userEvent.keyboard("status{Tab}");
  await expect.element(page.getByText("Several are called “status”: choose one from the list.")).toBeVisible();
  await expect.element(field()).toHaveValue("Country");
  expect([value, changes]).toEqual(["country", 0]);
});

test("what names nothing is said, in the list and after it, until something else is typed", async () => {
  await open(FIELDS, "country");
  await userEvent.keyboard("$& planet");
  const said = page.getByText("Nothing here is called “$& planet”.");
  await expect.element(said).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.element(said).toBeVisible();
  await userEvent.keyboard("{Tab}");
  await expect.element(after()).toHaveFocus();
  await expect.element(said).toBeVisible();
  await expect.element(field()).toHaveValue("Country");
  expect([value, changes]).toEqual(["country", 0]);
  await userEvent.keyboard("{Shift>}{Tab}{/Shift}Nam");
  await expect.element(said).not.toBeInTheDocument();
});

test("Escape forgets what was typed: leaving the input afterwards takes nothing", async () => {
  await open(FIELDS, "country");
  await userEvent.keyboard("Name{Escape}");
  await expect.element(field()).toHaveValue("Country");
  await userEvent.keyboard("{Tab}");
  await expect.element(after()).toHaveFocus();
  expect([value, changes]).toEqual(["country", 0]);
});
