/** A question asked in the middle of a form. */
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
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
