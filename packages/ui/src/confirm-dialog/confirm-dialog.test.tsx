/** A question asked in the middle of a form. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { show } from "../test-kit/show.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

function FormThatAsks({ onSend, onConfirm }: { onSend: () => void; onConfirm: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <button type="button" onClick={() => setAsking(true)}>
        Ask
      </button>
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Replace the series?"
        action="Replace it"
        onConfirm={async () => onConfirm()}
      >
        It can't be kept.
      </ConfirmDialog>
    </form>
  );
}

test("answering it does what it names and doesn't send the form around it", async () => {
  const done: string[] = [];
  show(<FormThatAsks onSend={() => done.push("sent")} onConfirm={() => done.push("confirmed")} />);
  await page.getByRole("button", { name: "Ask" }).click();
  await page.getByRole("button", { name: "Replace it" }).click();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  expect(done).toEqual(["confirmed"]);
});

function Rows({ onConfirm }: { onConfirm: (row: string) => Promise<void> }) {
  const [asked, setAsked] = useState<string>();
  return (
    <>
      {["Account", "Contact"].map((row) => (
        <button key={row} onClick={() => setAsked(row)}>
          {row}
        </button>
      ))}
      {/* Closes it from outside, as a change of the page's address does. */}
      <button onClick={() => setAsked(undefined)}>Leave</button>
      <ConfirmDialog
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={`Delete ${asked}?`}
        action="Delete it"
        onConfirm={() => onConfirm(asked ?? "")}
      >
        It is gone then.
      </ConfirmDialog>
    </>
  );
}

/** A confirmation that ends when the test says so. */
function underWay() {
  const ends: (() => void)[] = [];
  return { onConfirm: () => new Promise<void>((resolve) => ends.push(resolve)), end: () => ends.shift()?.() };
}

// What lies behind the dialog can't be reached by the mouse.
const press = (name: string) => {
  const button = [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);
  button?.click();
};

test("it stays open while what was confirmed is under way, and closes once that has ended", async () => {
  const { onConfirm, end } = underWay();
  show(<Rows onConfirm={onConfirm} />);
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  await userEvent.keyboard("{Escape}");
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect.element(page.getByRole("dialog", { name: "Delete Account?" })).toBeVisible();
  end();
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("what ends after its dialog was closed doesn't close the one that was opened since", async () => {
  const { onConfirm, end } = underWay();
  show(<Rows onConfirm={onConfirm} />);
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("button", { name: "Delete it" }).click();
  press("Leave");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  press("Contact");
  const second = page.getByRole("dialog", { name: "Delete Contact?" });
  await expect.element(second).toBeVisible();
  end();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect.element(second).toBeVisible();
  await second.getByRole("button", { name: "Cancel" }).click();
  await expect.element(second).not.toBeInTheDocument();
});
