/** The record that test values come from is chosen among what the server found for the text that was typed. */
import { listEntities } from "@accord/contracts/data/core-schema";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../../app/queries.ts";
import "../../../../app/words.ts";
import { PEOPLE, peopleServer, type PeopleServer } from "../../../../shared/people-records.fixtures.ts";
import { useActionForm } from "../use-action-form.ts";
import { RecordValues } from "./record-values.tsx";

const network = globalThis.fetch;
let server: PeopleServer;

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_DATA_STUDIO", "WRITE_STUDIO"] });
  queryClient.setQueryData(keyOf(listEntities, { query: { version: "published" } }), { entities: [PEOPLE] });
  server = peopleServer(network);
  globalThis.fetch = server.fetch;
});
afterEach(() => {
  globalThis.fetch = network;
});

function Values() {
  return <RecordValues form={useActionForm({ stored: undefined, readOnly: false, onCreated: () => {} })} />;
}

test("Enter before the server has answered takes none of the records found before; arrows take one that was found", async () => {
  show(
    <QueryClientProvider client={queryClient}>
      <Values />
    </QueryClientProvider>,
  );
  await page.getByText("Fill from a record").click();
  await page.getByRole("combobox", { name: "Entity" }).click();
  await page.getByRole("option", { name: "Person" }).click();
  const record = page.getByRole("combobox", { name: "Record" });
  await record.click();
  await expect.element(page.getByRole("option", { name: "Ada" })).toBeVisible();
  await userEvent.keyboard("Bo{Enter}");
  await expect.element(record).toHaveValue("Bo");
  server.answer();
  await expect.element(page.getByRole("option", { name: "Ada" })).not.toBeInTheDocument();
  await expect.element(record).toHaveValue("Bo");
  await expect.element(page.getByRole("status")).not.toBeInTheDocument();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.element(page.getByRole("status")).toBeVisible();
});
