/** Pages over plain HTTP: ids that are random and well formed, and texts that are copied by a press. */
import { afterEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { copyBySelection, randomUuid } from "./plain-http.ts";

afterEach(() => document.body.replaceChildren());

test("ids are UUIDs of version 4, and no two are alike", () => {
  const ids = Array.from({ length: 1_000 }, randomUuid);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1_000);
});

test("a press copies the whole text, leaves nothing behind, and keeps the focus", async () => {
  const button = document.createElement("button");
  button.textContent = "Copy";
  const results: string[] = [];
  button.addEventListener("click", () => {
    copyBySelection("first line\nsecond, with ümlauts").then(
      () => results.push("copied"),
      () => results.push("refused"),
    );
  });
  const field = document.createElement("textarea");
  document.body.append(button, field);
  await page.getByRole("button", { name: "Copy" }).click();
  await expect.poll(() => results).toEqual(["copied"]);
  expect(document.activeElement).toBe(button);
  expect(document.querySelectorAll("textarea")).toHaveLength(1);
  field.focus();
  await userEvent.paste();
  expect(field.value).toBe("first line\nsecond, with ümlauts");
});

test("what was selected stays selected, and where the browser refuses nothing of the text stays on the page", async () => {
  const [paragraph, button] = [document.createElement("p"), document.createElement("button")];
  paragraph.textContent = "Words that somebody selected";
  button.textContent = "Copy";
  const results: string[] = [];
  button.addEventListener("click", () => {
    copyBySelection("secret").then(
      () => results.push("copied"),
      (error: unknown) => results.push(String(error)),
    );
  });
  document.body.append(paragraph, button);
  document.getSelection()?.selectAllChildren(paragraph);
  button.click();
  await expect.poll(() => results).toHaveLength(1);
  expect(document.getSelection()?.toString()).toBe("Words that somebody selected");
  const execute = document.execCommand;
  document.execCommand = () => false;
  button.click();
  await expect.poll(() => results[1]).toBe("Error: the browser refused to copy");
  document.execCommand = execute;
  expect(document.querySelector("textarea")).toBeNull();
});
