/** What people see of a refused call: what happened, why, which field, what to do, and never less. */
import { Notifications } from "@mantine/notifications";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { toApiError } from "../../app/api-error.ts";
import { showInRouter } from "../../app/show-in-router.fixtures.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { RefusalBox } from "./refusal-box.tsx";

const wrongState = toApiError(409, {
  code: "invalid_state",
  message: "This can't be done now.",
  description: "There is no draft to publish.",
  requestId: "req-1",
});

const textOf = (node: Element): string[] =>
  [...node.querySelectorAll("strong, .ac-refusal__line")].map(({ textContent }) => textContent ?? "");

test("a refusal by state says its reason, which stands in the description alone", async () => {
  showInRouter(() => <RefusalBox error={wrongState} />);
  const box = page.getByRole("alert");
  await expect.element(box).toBeVisible();
  expect(textOf(box.element())).toEqual(["This can't be done now.", "There is no draft to publish."]);
  // Where the reason is known, nothing has to be quoted.
  expect(box.element().textContent).not.toContain("req-1");
});

test("what was tried stands first, and the problem of each field with the field's name", async () => {
  const refused = toApiError(400, {
    code: "validation_failed",
    message: "Some of what was sent can't be used.",
    description: "See the fields below.",
    errors: [
      { path: "config.apiName", message: "is required" },
      { path: "hosts.1", message: "must be a text" },
      { path: "config.port", message: "The port 99999 doesn't exist." },
    ],
  });
  showInRouter(() => <RefusalBox error={refused} title="The connection was not saved" />);
  const box = page.getByRole("alert");
  await expect.element(box).toBeVisible();
  expect(textOf(box.element())).toEqual([
    "The connection was not saved",
    "Some of what was sent can't be used.",
    "API name is required.",
    "Hosts 2 must be a text.",
    "The port 99999 doesn't exist.",
  ]);
});

test("a failure of the server gives the request to quote", async () => {
  showInRouter(() => <RefusalBox error={toApiError(500, { message: "Something went wrong.", requestId: "req-9" })} />);
  const box = page.getByRole("alert");
  await expect.element(box.getByText("Something went wrong.", { exact: true })).toBeVisible();
  expect(box.element().textContent).toContain("req-9");
});

function Ask({ onConfirm }: { onConfirm: () => Promise<void> }) {
  const [asking, setAsking] = useState(true);
  return (
    <>
      <button onClick={() => setAsking(false)}>Leave</button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Publish?"
        action="Publish"
        onConfirm={onConfirm}
      >
        It is live then.
      </ConfirmDialog>
    </>
  );
}

test("a dialog keeps the refusal with its reason, and one that has gone shows it at the lower edge", async () => {
  let refuse = (): void => {};
  const onConfirm = () => new Promise<void>((_, reject) => (refuse = () => reject(wrongState)));
  showInRouter(() => (
    <>
      <Ask onConfirm={onConfirm} />
      <Notifications />
    </>
  ));
  const confirm = page.getByRole("button", { name: "Publish" });
  await confirm.click();
  refuse();
  await expect.element(page.getByRole("dialog").getByText("There is no draft to publish.")).toBeVisible();
  await confirm.click();
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Leave")?.click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  refuse();
  await expect.element(page.getByText("There is no draft to publish.")).toBeVisible();
});
