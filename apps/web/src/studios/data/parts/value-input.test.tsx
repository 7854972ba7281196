/** A reference is chosen among what the server found for the text that was typed, and never among what was found before. */
import { CoreField } from "@accord/contracts/data/entities";
import { listEntities } from "@accord/contracts/data/core-schema";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Value } from "@accord/contracts/data/values";
import { keyOf, queryClient } from "../../../app/queries.ts";
import "../../../app/words.ts";
import { BOS_ID, PEOPLE, peopleServer, type PeopleServer } from "../../../shared/people-records.fixtures.ts";
import { ValueInput } from "./value-input.tsx";

const network = globalThis.fetch;
const OWNER = CoreField.parse({
  ...{ id: "1".repeat(24), apiName: "owner", displayName: "Owner", dataType: "reference", referenceTo: "person" },
});
let server: PeopleServer;
let chosen: Value;

beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(listEntities, { query: { version: "published" } }), { entities: [PEOPLE] });
  server = peopleServer(network);
  globalThis.fetch = server.fetch;
});
afterEach(() => {
  globalThis.fetch = network;
});

function Owner() {
  const [entry, setEntry] = useState<Value>(null);
  return (
    <ValueInput
      field={OWNER}
      entry={entry}
      references={{}}
      onChange={(next) => {
        chosen = next;
        setEntry(next);
      }}
    />
  );
}

test("Enter before the server has answered takes none of the records found before; arrows take one that was found", async () => {
  chosen = null;
  show(
    <QueryClientProvider client={queryClient}>
      <Owner />
    </QueryClientProvider>,
  );
  const owner = page.getByRole("combobox", { name: "Owner" });
  await owner.click();
  await expect.element(page.getByRole("option", { name: "Ada" })).toBeVisible();
  await userEvent.keyboard("Bo{Enter}");
  await expect.element(owner).toHaveValue("Bo");
  expect(chosen).toBeNull();
  server.answer();
  await expect.element(page.getByRole("option", { name: "Ada" })).not.toBeInTheDocument();
  expect(chosen).toBeNull();
  await userEvent.keyboard("{ArrowDown}{Enter}");
  await expect.poll(() => chosen).toBe(BOS_ID);
});
