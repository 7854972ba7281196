/** The relationships of entities: each card has the words and the colour of its pipeline's health. */
import { id } from "@accord/contracts";
import { listEntities } from "@accord/contracts/data/core-schema";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { listSyncStatuses } from "@accord/contracts/sync/monitoring/runs";
import { pipelineHealth, UNTROUBLED, type HealthFacts } from "@accord/sync-engine/lifecycle";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { coreEntity, fieldOf } from "../new-pipeline/new-pipeline.fixtures.ts";
import { RelationshipsScreen } from "./relationships-screen.tsx";

const failure = {
  nodeId: null,
  connectorId: "c",
  system: "Billing",
  since: 1_000,
  code: "authentication",
  message: "",
};
/** By entity: what is known of its pipeline, its words and the token of its colour. */
const STATES: readonly [name: string, facts: Partial<HealthFacts> | null, words: string, token: string][] = [
  ["Account", { failures: [failure] }, "Billing fails", "--ac-error"],
  ["Buyer", { quarantined: [{ nodeId: null, count: 3 }] }, "3 in quarantine", "--ac-warn"],
  ["Contact", {}, "In agreement", "--ac-ok"],
  ["Deal", null, "Not published", "--ac-text-3"],
];
const entities = STATES.map(([name], index) =>
  coreEntity([fieldOf("name")], {
    ...{ id: id("entity").parse(String(index + 1).repeat(24)), apiName: name.toLowerCase(), displayName: name },
  }),
);
const statuses = STATES.flatMap(([, facts], index) =>
  facts ? [{ entityId: entities[index]?.id, health: pipelineHealth({ ...UNTROUBLED, ...facts }) }] : [],
);

const network = globalThis.fetch;
beforeEach(async () => {
  await page.viewport(1440, 900);
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_STUDIO"] });
  queryClient.setQueryData(keyOf(listEntities, { query: { version: "draft" } }), { entities });
  queryClient.setQueryData(keyOf(listSyncStatuses, {}), { statuses });
  // What is read anew never comes.
  globalThis.fetch = () => new Promise(() => {});
});
afterEach(async () => {
  globalThis.fetch = network;
  // As it is for the other files on this page.
  await page.viewport(414, 896);
});

const open = (view: "graph" | "list") =>
  showScreens({ "/sync-studio/relationships": RelationshipsScreen }, `/sync-studio/relationships?view=${view}`);
const colourOf = (token: string): string => {
  const probe = document.createElement("i");
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

test("[SYN-005] each entity's card says how its pipeline is doing, in the colour of that", async () => {
  open("graph");
  const colours = new Set<string>();
  for (const [name, , words, token] of STATES) {
    const card = page.getByRole("link", { name: `${name} ${words}` });
    await expect.element(card).toBeVisible();
    const { borderLeftColor } = getComputedStyle(card.element());
    expect(borderLeftColor, name).toBe(colourOf(token));
    colours.add(borderLeftColor);
  }
  expect(colours.size).toBe(STATES.length);
});

test("the list says the same of each entity", async () => {
  open("list");
  for (const [name, , words] of STATES)
    await expect
      .element(page.getByRole("row").filter({ hasText: name }).getByText(words, { exact: true }))
      .toBeVisible();
});
