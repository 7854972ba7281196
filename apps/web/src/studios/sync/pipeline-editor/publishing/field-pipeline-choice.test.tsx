/** Field pipelines in the publish dialog: all that are ready unless something else is chosen. */
import { id } from "@accord/contracts";
import type { FieldChoice } from "@accord/contracts/sync/field-choice";
import type { FieldPipelineRow } from "@accord/contracts/sync/field-pipelines";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { FieldPipelineChoice } from "./field-pipeline-choice.tsx";

const field = (letter: string, displayName: string, ready: boolean): FieldPipelineRow => ({
  id: id("field").parse(letter.repeat(24)),
  apiName: displayName.toLowerCase(),
  displayName,
  hasPublished: false,
  draft: { ready, revision: 1, hasChanges: true, updatedAt: "2026-01-01T00:00:00.000Z" },
});

let chosen: FieldChoice;
function Dialog({ drafts, onChosen }: { drafts: FieldPipelineRow[]; onChosen: (value: FieldChoice) => void }) {
  const [value, setValue] = useState<FieldChoice>("ready");
  return (
    <QueryClientProvider client={queryClient}>
      <FieldPipelineChoice
        drafts={drafts}
        value={value}
        onChange={(next) => {
          onChosen(next);
          setValue(next);
        }}
      />
      <p>End</p>
    </QueryClientProvider>
  );
}

test("drafts are listed with what is not ready; ready ones come along, or all of them, or those that are picked", async () => {
  const [name, phone] = [field("a", "Name", true), field("b", "Phone", false)];
  show(<Dialog drafts={[name, phone]} onChosen={(value) => (chosen = value)} />);
  const box = (label: string) => page.getByRole("checkbox", { name: label });
  await expect.element(page.getByRole("radio", { name: "All that are ready (1)" })).toBeChecked();
  await expect.element(box("Name")).toBeChecked();
  await expect.element(box("Phone")).not.toBeChecked();
  await expect
    .element(page.getByRole("listitem").filter({ hasText: "Phone" }))
    .toHaveTextContent("PhoneDraftNot ready");
  await page.getByRole("radio", { name: "All with a draft (2)" }).click();
  await expect.element(box("Phone")).toBeChecked();
  expect(chosen).toBe("all");
  await page.getByRole("radio", { name: "Only these" }).click();
  expect(chosen).toEqual([name.id]);
  await box("Phone").click();
  await box("Name").click();
  expect(chosen).toEqual([phone.id]);
});

test("what nobody marked as ready is named, and can be published too, all of it or one by one", async () => {
  const drafts = [field("a", "Name", true), field("b", "Phone", false), field("c", "City", false)];
  show(<Dialog drafts={drafts} onChosen={(value) => (chosen = value)} />);
  const notice = page.getByText("Not marked as ready, so they stay drafts: Phone, City");
  await expect.element(notice).toBeVisible();
  await page.getByRole("button", { name: "Publish too" }).click();
  expect(chosen).toBe("all");
  await expect.element(notice).not.toBeInTheDocument();
  await page.getByRole("radio", { name: "All that are ready (1)" }).click();
  await page.getByRole("checkbox", { name: "City" }).click();
  expect(chosen).toEqual([drafts[0]?.id, drafts[2]?.id]);
  await expect.element(page.getByRole("radio", { name: "Only these" })).toBeChecked();
});

test("nothing is asked where no field pipeline has a draft", async () => {
  show(<Dialog drafts={[]} onChosen={(value) => (chosen = value)} />);
  await expect.element(page.getByText("End")).toBeVisible();
  await expect.element(page.getByRole("radio")).not.toBeInTheDocument();
});
