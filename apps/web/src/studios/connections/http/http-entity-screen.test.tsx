/** The screen that describes an entity: what is stored, when, and what happens when others change the same one. */
import { getConnector, type ConnectorDetail } from "@accord/contracts/connections/connectors";
import { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { notifications } from "@mantine/notifications";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { keyOf, queryClient, refresh } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import { HttpEntityScreen } from "../http-entity-screen.tsx";
import { HOOK, hook } from "../webhook/webhook.fixtures.ts";

const network = globalThis.fetch;
const entity = (more: object = {}) =>
  HttpEntityConfig.parse({
    ...{ apiName: "tickets", displayName: "Tickets", idField: "id", list: { path: "/tickets" } },
    fields: [
      { apiName: "id", displayName: "Id" },
      { apiName: "subject", displayName: "Subject" },
    ],
    ...more,
  });
const synapse = (version: number, entities: unknown[], more: object = {}): ConnectorDetail =>
  hook({ metadataId: "http", version, config: { baseUrl: "https://api.example", entities }, ...more });

const AT = `/connectors/${HOOK}`;
let stored: ConnectorDetail;
let sent: { call: string; body: { version?: number; config?: { entities: Record<string, unknown>[] } } }[];
let answers: Record<string, () => Response | Promise<Response>>;

const TRIED = {
  problem: null,
  ...{ status: 200, durationMs: 5, bodyExcerpt: "[]", recordSelectors: ["$"], recordCount: 1, sample: [{ id: "7" }] },
  proposed: [{ apiName: "id", displayName: "Id", isIdField: true }],
};

const refusedBy = (code: string, status: number, more: object = {}): Response =>
  Response.json({ code, message: "Refused.", ...more }, { status });
const updates = () => sent.filter(({ call }) => call === `PATCH ${AT}`).map(({ body }) => body);
const activations = () => sent.filter(({ call }) => call === `POST ${AT}/activate`);

beforeEach(async () => {
  await page.viewport(1280, 900);
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), {
    ...{ id: "1", permissions: ["READ_CONNECTOR", "WRITE_CONNECTOR", "TEST_CONNECTION"], orgName: "Org" },
  });
  sent = [];
  stored = synapse(4, [entity()]);
  answers = {
    [`GET ${AT}`]: () => Response.json(stored),
    [`PATCH ${AT}`]: () => {
      const last = updates().at(-1);
      if (last?.version !== stored.version) return refusedBy("stale_version", 409);
      stored = { ...stored, version: stored.version + 1, config: JSON.parse(JSON.stringify(last.config)) };
      return Response.json(stored);
    },
    "POST /connectors/preview-http-entity": () => Response.json(TRIED),
    [`POST ${AT}/activate`]: () => Response.json((stored = { ...stored, status: "ACTIVE" })),
  };
  globalThis.fetch = async (path, init) => {
    const address = String(path instanceof Request ? path.url : path);
    const start = address.indexOf("/api/v1/");
    if (start < 0) return network(path, init);
    const { pathname } = new URL(address.slice(start + "/api/v1".length), location.href);
    const call = `${init?.method ?? "GET"} ${pathname}`;
    if (call !== `GET ${AT}`) sent.push({ call, body: init?.body ? JSON.parse(String(init.body)) : {} });
    return answers[call]?.() ?? Response.json({ code: "not_found", message: `Not found: ${call}` }, { status: 404 });
  };
});
afterEach(async () => {
  globalThis.fetch = network;
  notifications.clean();
  await page.viewport(414, 896);
});

const open = (search = "?name=tickets"): void =>
  void showScreens(
    {
      "/synapses/connections/$connectorId/http-entity": HttpEntityScreen,
      "/synapses/connections/$connectorId": () => <p>The page of the synapse</p>,
    },
    `/synapses/connections/${HOOK}/http-entity${search}`,
  );
const button = (name: string) => page.getByRole("button", { name });
const input = (name: string) => page.getByRole("textbox", { name });
const someoneStores = async (next: ConnectorDetail): Promise<void> => {
  stored = next;
  await refresh(getConnector);
};
const isSaved = () => expect.element(page.getByText("The page of the synapse")).toBeInTheDocument();

test("what somebody else saved meanwhile is not overwritten: their description is offered, and what is typed stays", async () => {
  open();
  await input("Label subject").fill("Mine");
  await someoneStores(synapse(5, [entity({ displayName: "Theirs" })]));
  await expect.element(page.getByText(/Somebody else saved this synapse/)).toBeInTheDocument();
  await button("Save entity").click();
  await expect.poll(() => updates().map(({ version }) => version)).toEqual([4]);
  expect(entityIn(stored)).toMatchObject({ displayName: "Theirs" });
  await expect.element(input("Label subject")).toHaveValue("Mine");
  await button("Load theirs…").click();
  await page.getByRole("dialog").getByRole("button", { name: "Load" }).click();
  await expect.element(input("Label subject")).toHaveValue("Subject");
  await expect.element(page.getByText(/Somebody else saved this synapse/)).not.toBeInTheDocument();
});

test("a version that is refused as outdated is read again; going on saves over it and leaves the other entities", async () => {
  open();
  await input("Label subject").fill("Mine");
  stored = synapse(5, [entity({ displayName: "Theirs" }), entity({ apiName: "users" })]);
  await button("Save entity").click();
  await button("Go on with mine").click();
  await expect.element(input("Label subject")).toHaveValue("Mine");
  await button("Save entity").click();
  await isSaved();
  expect(updates().map(({ version }) => version)).toEqual([4, 5]);
  expect(updates()[1]?.config?.entities).toMatchObject([
    { displayName: "Tickets", fields: [{}, { displayName: "Mine" }] },
    { apiName: "users" },
  ]);
});

test("an entity that somebody deletes meanwhile stays on screen with what was typed", async () => {
  open();
  await input("Label subject").fill("Mine");
  await someoneStores(synapse(5, []));
  await expect.element(page.getByText(/Somebody else deleted this entity/)).toBeInTheDocument();
  await expect.element(input("Label subject")).toHaveValue("Mine");
  await button("Go on with mine").click();
  await button("Save entity").click();
  await isSaved();
  expect(updates().at(-1)).toMatchObject({ version: 5, config: { entities: [{ apiName: "tickets" }] } });
});

test("saving leaves a synapse inactive that somebody deactivated", async () => {
  stored = synapse(4, [entity()], { status: "INACTIVE" });
  open();
  await input("Label subject").fill("Mine");
  await button("Save entity").click();
  await isSaved();
  expect(activations()).toEqual([]);
});

test("removing an entity never activates a synapse", async () => {
  stored = synapse(4, [entity()], { status: "AUTHENTICATED" });
  open();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await isSaved();
  expect(activations()).toEqual([]);
});

test("saving activates a synapse that was never in use", async () => {
  stored = synapse(4, [entity()], { status: "AUTHENTICATED" });
  open();
  await button("Save entity").click();
  await isSaved();
  expect(activations()).toHaveLength(1);
});

test("after a refused activation the first entity can be saved again, and takes its own place", async () => {
  stored = synapse(4, [], { status: "AUTHENTICATED" });
  const activation = Promise.withResolvers<Response>();
  answers[`POST ${AT}/activate`] = () => activation.promise;
  open("");
  await page.getByLabelText("Name", { exact: false }).first().fill("Orders");
  await page.getByLabelText("Path", { exact: false }).first().fill("/orders");
  await button("Try it").click();
  await button("Use proposed fields").click();
  await button("Save entity").click();
  await expect.poll(() => activations()).toHaveLength(1);
  await expect.element(button("Save entity")).toBeDisabled();
  activation.resolve(refusedBy("invalid_state", 409));
  await expect.element(button("Save entity")).toBeEnabled();
  await input("Label id").fill("Number");
  answers[`POST ${AT}/activate`] = () => Response.json((stored = { ...stored, status: "ACTIVE" }));
  await button("Save entity").click();
  await isSaved();
  expect(updates().map(({ version }) => version)).toEqual([4, 5]);
  expect(stored.config["entities"]).toMatchObject([{ apiName: "orders", fields: [{ displayName: "Number" }] }]);
});

test("every complaint shows: at its input, which is focused, or in a box where no input shows it", async () => {
  const long = { name: "X", value: "1" };
  stored = synapse(4, [entity({ getById: { path: "/tickets/{{id}}", headers: [long] } })]);
  open();
  answers[`PATCH ${AT}`] = () =>
    refusedBy("validation_failed", 400, {
      errors: [
        { path: "config.entities.0.getById.recordSelector", message: "is no path" },
        { path: "config.entities.0.getById.headers.0.name", message: "is a reserved name" },
      ],
    });
  await button("Save entity").click();
  await expect.element(page.getByText("getById.headers.0.name: is a reserved name")).toBeInTheDocument();
  await expect.element(page.getByText("is no path", { exact: true })).toBeInTheDocument();
  await expect.element(input("Where the record is in the answer")).toHaveFocus();
  await input("Label subject").fill("");
  await expect.element(page.getByText("is no path", { exact: true })).not.toBeInTheDocument();
});

const entityIn = ({ config }: ConnectorDetail): unknown =>
  Array.isArray(config["entities"]) ? config["entities"][0] : null;
