/** A setting that is stored at once: its switch shows what was chosen from the press on, and what is stored once that is known. */
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../app/queries.ts";
import "../../../app/words.ts";
import { ENTITY } from "../pipeline-editor/draft/opened-draft.fixtures.ts";
import { pipelineRow } from "../pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { TestBeforePublish } from "../pipeline-editor/tests/test-before-publish.tsx";

const network = globalThis.fetch;
let isStored: boolean;
/** The call that stores it goes on when the page is left. */
let outlivesPage: boolean;
/** Answers the call that stores it. */
let answer: ((succeeds: boolean) => void) | undefined;

const row = () => pipelineRow({ settings: { realtimePipeline: false, testBeforePublish: isStored, loggedNodes: [] } });
const refusal = () =>
  Response.json({ code: "internal_error", status: 500, message: "The disk is full." }, { status: 500 });

beforeEach(() => {
  isStored = false;
  answer = undefined;
  outlivesPage = false;
  queryClient.clear();
  globalThis.fetch = async (address, init) => {
    const text = address instanceof Request ? address.url : String(address);
    if (!text.includes("/api/v1/")) return network(address, init);
    if ((init?.method ?? "GET") === "GET") return Response.json(row());
    outlivesPage = init?.keepalive === true;
    return new Promise((resolve) => {
      answer = (succeeds) => {
        isStored = succeeds;
        resolve(succeeds ? Response.json(row()) : refusal());
      };
    });
  };
  show(
    <QueryClientProvider client={queryClient}>
      <TestBeforePublish entityId={ENTITY} />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  globalThis.fetch = network;
});

const setting = () => page.getByRole("switch", { name: /^Publish only when all tests pass/ });

/** Pressed; answers how it looks before the page gets to anything else. */
async function press(): Promise<{ checked: boolean; disabled: boolean }> {
  await expect.element(setting()).toBeEnabled();
  const input = setting().element();
  if (!(input instanceof HTMLInputElement)) throw new Error("The switch is no input");
  input.click();
  await Promise.resolve();
  return { checked: input.checked, disabled: input.disabled };
}

test("a switch stays where it was put while that is stored, and after it", async () => {
  expect(await press()).toEqual({ checked: true, disabled: true });
  await expect.poll(() => answer).toBeDefined();
  answer?.(true);
  await expect.element(setting()).toBeEnabled();
  await expect.element(setting()).toBeChecked();
});

test("a switch goes back where it could not be stored", async () => {
  expect(await press()).toEqual({ checked: true, disabled: true });
  await expect.poll(() => answer).toBeDefined();
  answer?.(false);
  await expect.element(setting()).toBeEnabled();
  await expect.element(setting()).not.toBeChecked();
});

test("what was chosen reaches the server even if the page is loaded anew at once", async () => {
  await press();
  await expect.poll(() => answer).toBeDefined();
  expect(outlivesPage).toBe(true);
});
