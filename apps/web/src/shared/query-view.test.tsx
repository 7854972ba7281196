/** One call on screen: its outline while it loads, what it answers, and in place what went wrong. */
import { getPipeline } from "@accord/contracts/sync/pipelines";
import { useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient, useEndpoint } from "../app/queries.ts";
import { showInRouter } from "../app/show-in-router.fixtures.tsx";
import "../app/words.ts";
import { ENTITY } from "../studios/sync/pipeline-editor/draft/opened-draft.fixtures.ts";
import { pipelineRow } from "../studios/sync/pipeline-editor/field-pipeline/pipeline-row.fixtures.ts";
import { QueryView } from "./query-view.tsx";

const network = globalThis.fetch;
/** Calls that are on their way. */
let waiting: ((reply: Response) => void)[];
beforeEach(() => {
  queryClient.clear();
  waiting = [];
  globalThis.fetch = async (path, init) =>
    String(path).includes("/api/v1/") ? new Promise((resolve) => waiting.push(resolve)) : network(path, init);
});
afterEach(() => {
  globalThis.fetch = network;
});

function Name() {
  const [isAsked, setAsked] = useState(false);
  const query = useEndpoint(getPipeline, { params: { entityId: ENTITY } }, { enabled: isAsked });
  return (
    <>
      <button onClick={() => setAsked(true)}>Ask</button>
      <p>{query.fetchStatus === "idle" && query.data === undefined && !query.isError ? "idle" : query.status}</p>
      <QueryView query={query} skeleton={<p>An outline</p>}>
        {({ name }) => <h2>{name}</h2>}
      </QueryView>
    </>
  );
}
const answer = (reply: Response) => waiting.shift()?.(reply);
const shown = (text: string) => page.getByText(text, { exact: true });

test("[SYN-078] a call goes from idle to loading, and to what it answers or to what went wrong, from where it is asked again", async () => {
  showInRouter(Name);
  await expect.element(shown("idle")).toBeVisible();
  await page.getByRole("button", { name: "Ask" }).click();
  await expect.element(shown("pending")).toBeVisible();
  await expect.element(shown("An outline")).toBeVisible();
  await expect.poll(() => waiting.length).toBe(1);
  answer(Response.json({ code: "internal", message: "The database is away." }, { status: 500 }));
  await expect.element(shown("error")).toBeVisible();
  await expect.element(shown("The database is away.")).toBeVisible();
  await expect.element(shown("An outline")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => waiting.length).toBe(1);
  answer(Response.json(pipelineRow({ name: "Account" })));
  await expect.element(shown("success")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Account" })).toBeVisible();
  await expect.element(shown("The database is away.")).not.toBeInTheDocument();
});

test("[SYN-078] what was loaded stays on screen while it is read again, and beside what went wrong then", async () => {
  showInRouter(Name);
  await expect.element(shown("idle")).toBeVisible();
  await page.getByRole("button", { name: "Ask" }).click();
  await expect.poll(() => waiting.length).toBe(1);
  answer(Response.json(pipelineRow({ name: "Account" })));
  const heading = page.getByRole("heading", { name: "Account" });
  await expect.element(heading).toBeVisible();
  void queryClient.refetchQueries();
  await expect.poll(() => waiting.length).toBe(1);
  await expect.element(heading).toBeVisible();
  answer(Response.json({ code: "internal", message: "The database is away." }, { status: 500 }));
  await expect.element(shown("The database is away.")).toBeVisible();
  await expect.element(heading).toBeVisible();
});
