/** Tokens are put into a text by typing, by key and by a press; the text shows which of them are known, and what it gives. */
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import "../../app/words.ts";
import { TokenInput } from "./token-input.tsx";
import { TokenSamplesProvider } from "./token-samples.tsx";
import { TOKENS } from "./token-text.fixtures.ts";

const SAMPLES = {
  record: "Acme",
  sampleOf: (token: string) => (token === "CRM.company.name" ? "Acme Ltd" : undefined),
};

function Shown({ first, multiline }: { first: string; multiline: boolean }) {
  const [value, setValue] = useState(first);
  return (
    <TokenSamplesProvider value={SAMPLES}>
      <TokenInput
        label="Text"
        shownLabel="Text"
        value={value}
        multiline={multiline}
        tokens={TOKENS}
        onChange={setValue}
      />
    </TokenSamplesProvider>
  );
}
const showInput = (first = "", multiline = false): void => show(<Shown first={first} multiline={multiline} />);
const input = () => page.getByRole("textbox", { name: "Text" });
const list = () => page.getByRole("listbox", { name: "Insert token: Text" });

test("two braces open the list of what is offered, typing narrows it, and Enter puts the token into the text", async () => {
  showInput();
  await input().click();
  await userEvent.keyboard("Hello {{{{");
  await expect.element(list().getByRole("group", { name: "Source fields: CRM › company" })).toBeVisible();
  await userEvent.keyboard("company");
  await expect
    .element(list().getByRole("option"))
    .toHaveAccessibleName(/Company name.*string.*CRM\.company\.name.*Acme Ltd/);
  await userEvent.keyboard("{Enter}!");
  await expect.element(input()).toHaveValue("Hello {{CRM.company.name}}!");
  await expect.element(list()).not.toBeInTheDocument();
  await expect.element(page.getByText("Gives: Hello Acme Ltd!")).toBeVisible();
});

test("the browser's undo takes a token back, and then what was typed for it", async () => {
  showInput();
  await input().click();
  await userEvent.keyboard("Hi {{{{upper{Enter}");
  await expect.element(input()).toHaveValue("Hi {{Value From Upper}}");
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.element(input()).toHaveValue("Hi {{upper");
});

test("arrows choose among the tokens, and what is chosen is said to screen readers", async () => {
  showInput();
  await input().click();
  await userEvent.keyboard("{{{{");
  const active = () =>
    document.getElementById(input().element().getAttribute("aria-activedescendant") ?? "")?.textContent;
  await expect.poll(active).toContain("Value From Upper");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  await expect.poll(active).toContain("previous.values.Revenue");
  await userEvent.keyboard("{ArrowUp}{Enter}");
  await expect.element(input()).toHaveValue("{{previous.values.Name}}");
});

test("Esc closes the list and leaves caret and text where they are; the same braces open it no more", async () => {
  showInput();
  await input().click();
  await userEvent.keyboard("a {{{{na{Escape}");
  await expect.element(list()).not.toBeInTheDocument();
  await expect.element(input()).toHaveFocus();
  await userEvent.keyboard("me");
  await expect.element(input()).toHaveValue("a {{name");
  await expect.element(list()).not.toBeInTheDocument();
});

test("Ctrl+Space and the button open the list at the caret without braces", async () => {
  showInput("ab");
  await input().click();
  await userEvent.keyboard("{Home}{ArrowRight}{Control>}[Space]{/Control}upper{Enter}");
  await expect.element(input()).toHaveValue("a{{Value From Upper}}b");
  await userEvent.keyboard("{End} ");
  await page.getByRole("button", { name: "Insert token: Text" }).click();
  await list()
    .getByRole("option", { name: /Account name/ })
    .click();
  await expect.element(input()).toHaveValue("a{{Value From Upper}}b {{Billing.account.name}}");
  await expect.element(input()).toHaveFocus();
});

test("Esc and a second press close a list that the button opened, with the focus in the text", async () => {
  showInput("ab");
  const button = page.getByRole("button", { name: "Insert token: Text" });
  await button.click();
  await expect.element(list()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(list()).not.toBeInTheDocument();
  await expect.element(input()).toHaveFocus();
  await button.click();
  await expect.element(list()).toBeVisible();
  await button.click();
  await expect.element(list()).not.toBeInTheDocument();
});

test("words that match no token close a list opened by key, and are kept", async () => {
  showInput();
  await input().click();
  await userEvent.keyboard("{Control>}[Space]{/Control}zz");
  await expect.element(list()).not.toBeInTheDocument();
  await expect.element(input()).toHaveValue("zz");
});

test("tokens stand out in the text, and one that is not available is named as a problem of the input", async () => {
  showInput("{{previous.values.Name}} {{nobody}}");
  const marks = () => [...document.querySelectorAll("mark")].map((mark) => [mark.textContent, mark.dataset["kind"]]);
  await expect.poll(marks).toEqual([
    ["{{previous.values.Name}}", "token"],
    ["{{nobody}}", "unknown"],
  ]);
  await expect.element(input()).toHaveAttribute("aria-invalid", "true");
  await expect.element(input()).toHaveAccessibleDescription("{{nobody}} is not available here. Choose another token.");
});

test("a text of one line has no line breaks, however it gets them; one of several lines keeps them", async () => {
  showInput("a");
  await input().click();
  await userEvent.keyboard("{End}{Enter}b");
  await expect.element(input()).toHaveValue("ab");
  await input().fill("a\nb");
  await expect.element(input()).toHaveValue("a b");
  showInput("a\nb", true);
  await expect.element(input()).toHaveValue("a\nb");
});

test("text and the layer that marks tokens in it have the same size, so that marks lie behind their tokens", async () => {
  showInput("A long line with {{previous.values.Name}} in it, ".repeat(8), true);
  await expect.element(input()).toBeVisible();
  const text = input().element();
  expect(text.scrollHeight).toBe(text.clientHeight);
  expect(text.scrollWidth).toBe(text.clientWidth);
});
