/** Choices of an open form follow what is made in another window. */
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { queryClient } from "../../../../app/queries.ts";
import { openFakeStream } from "../../../../app/stream.fixtures.ts";
import "../../../../app/words.ts";
import { ConfigForm } from "../../../../shared/config-form/config-form.tsx";
import { coreEntity, fieldOf } from "../../new-pipeline/new-pipeline.fixtures.ts";
import "../queries.ts";
import { loadNodeOptions } from "./function-form/node-options.ts";

const network = globalThis.fetch;
let stream: ReturnType<typeof openFakeStream>;
let names: string[];

beforeEach(() => {
  queryClient.clear();
  names = ["Buyers"];
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes("/api/v1/entities")) return network(path, init);
    const entities = names.map((displayName, index) =>
      coreEntity([fieldOf("name")], { id: String(index).padStart(24, "0"), apiName: `e${index}`, displayName }),
    );
    return Response.json({ entities });
  };
});
beforeAll(() => {
  stream = openFakeStream();
});
afterAll(() => stream.close());
afterEach(() => {
  globalThis.fetch = network;
});

test.each([
  ["an entity", "entitySchemaChanged", { entityId: "a".repeat(24), published: true }],
  ["a custom action", "customActionChanged", { actionId: "a".repeat(24) }],
])("where %s is made in another window, the choices of an open form are read again", async (_what, event, payload) => {
  show(
    <QueryClientProvider client={queryClient}>
      <ConfigForm
        inputs={[{ name: "entity", label: "Entity", datatype: "reference", renderType: "coreEntity" }]}
        values={{}}
        onChange={() => {}}
        loadOptions={loadNodeOptions}
      />
    </QueryClientProvider>,
  );
  await page.getByRole("combobox", { name: "Entity" }).click();
  await expect.element(page.getByRole("option", { name: "Buyers" })).toBeInTheDocument();
  names = ["Buyers", "Suppliers"];
  await expect.poll(() => stream.current()?.onmessage).toBeTypeOf("function");
  await expect
    .poll(() => {
      stream.current()?.event(event, payload);
      return page.getByRole("option", { name: "Suppliers" }).query();
    })
    .not.toBeNull();
});
