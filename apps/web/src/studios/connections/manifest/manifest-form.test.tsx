/** Inputs and secrets of a manifest in the form of its connection, when manifests, choices and secrets change. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import { ManifestFacts } from "@accord/contracts/connections/manifest-facts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { show } from "@accord/ui/test-kit";
import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { keyOf, queryClient } from "../../../app/queries.ts";
import "../../../app/words.ts";
import { ManifestFields } from "./manifest-fields.tsx";
import { ManifestSecrets } from "./manifest-secrets.tsx";

const input = (path: string, more: object = {}) => ({ name: path, path: path.split("."), label: path, ...more });
const secret = { datatype: "password", secret: true };
const under = (kind: string) => ({ visibilityDependsOnFieldValue: { field: "sign.kind", pattern: `^${kind}$` } });
const CHOICE = input("sign.kind", {
  ...{ datatype: "picklist", required: true, defaultValue: "oauth" },
  values: [
    { id: "oauth", label: "OAuth" },
    { id: "token", label: "Token" },
  ],
});
const CHOOSING = [
  CHOICE,
  input("sign.refresh", { ...secret, required: true, ...under("oauth") }),
  input("sign.token", { ...secret, required: true, ...under("token") }),
];
/** Manifests by their texts. */
const MANIFESTS: Record<string, object[]> = {
  plain: [input("site", { required: true }), input("workers", { datatype: "integer", defaultValue: 10 })],
  keyed: [input("key", { ...secret, required: true })],
  secretSite: [input("site", secret), input("page")],
  choosing: CHOOSING,
};

const TYPE: ConnectorType = {
  ...{ id: "manifest", displayName: "Manifest", category: "api", capabilities: [], description: "", icon: "api" },
  ...{ backgroundColor: "teal", configFields: [], authMethods: [] },
};

const network = globalThis.fetch;
beforeEach(() => {
  queryClient.clear();
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["WRITE_CONNECTOR"] });
  globalThis.fetch = async (path, init) => {
    if (!String(path).includes("/connectors/describe-manifest")) return network(path, init);
    const { manifest } = JSON.parse(String(init?.body));
    const facts = { ...{ version: null, description: null, licence: null, types: [], streams: [] }, values: {} };
    return Response.json(ManifestFacts.parse({ ...facts, inputs: MANIFESTS[manifest] ?? [] }));
  };
});
afterEach(() => {
  globalThis.fetch = network;
});

/** What the form would send now. */
const sent: { config: Record<string, unknown>; authType: string; credentials: Record<string, unknown> } = {
  ...{ config: {}, authType: "", credentials: {} },
};

interface Saved {
  manifest: string;
  inputs?: object;
  stored?: string[];
}

function Form({ manifest, inputs = {}, stored = [] }: Saved) {
  const [config, setConfig] = useState<Record<string, unknown>>({ manifest, inputs: JSON.stringify(inputs) });
  const [credentials, setCredentials] = useState<Record<string, unknown>>({});
  const [authType, setAuthType] = useState(stored.length > 0 ? "apiSecretKey" : "none");
  const [errors, setErrors] = useState([0, 0]);
  useEffect(() => {
    Object.assign(sent, { config, authType, credentials });
  }, [config, authType, credentials]);
  return (
    <QueryClientProvider client={queryClient}>
      <ManifestFields
        type={TYPE}
        values={config}
        showAll
        onChange={setConfig}
        onErrors={(count) => setErrors(([, other = 0]) => [count, other])}
      />
      <ManifestSecrets
        showAll
        {...{ type: TYPE, config, authType, credentials, stored }}
        onAuthType={(type) => {
          setAuthType(type);
          setCredentials({});
        }}
        onCredentials={setCredentials}
        onErrors={(count) => setErrors(([other = 0]) => [other, count])}
      />
      <output>{errors[0]! + errors[1]!} wrong</output>
    </QueryClientProvider>
  );
}

const field = (name: string) => page.getByRole("textbox", { name });
const replace = page.getByText("Replace", { exact: true });
const paste = (manifest: string) => page.getByRole("textbox", { name: "Manifest" }).fill(manifest);
const inputsSent = () => JSON.parse(String(sent.config["inputs"] || "{}"));

test("a stored secret is replaced by a new one, or kept", async () => {
  show(<Form manifest="keyed" stored={["secrets"]} />);
  await replace.click();
  await page.getByRole("button", { name: "Keep the saved one" }).click();
  await expect.poll(() => sent.credentials).toEqual({});
  await replace.click();
  await page.getByLabelText(/^key/).fill("new");
  await expect.poll(() => sent.credentials).toEqual({ secrets: '{"key":"new"}' });
  await expect.element(page.getByText("0 wrong")).toBeVisible();
});

test("what is wrong with the inputs of one manifest is not counted for another", async () => {
  show(<Form manifest="plain" />);
  await expect.element(page.getByText("1 wrong")).toBeVisible();
  await paste("keyed");
  await expect.element(page.getByText("key is required")).toBeVisible();
  await page.getByLabelText(/^key/).fill("k");
  await expect.element(page.getByText("0 wrong")).toBeVisible();
  await paste("none at all");
  await expect.element(page.getByText("0 wrong")).toBeVisible();
  await expect.poll(() => [sent.authType, sent.credentials]).toEqual(["none", {}]);
});

test("an input that is secret in a newer manifest is taken out of the plain ones, which is said", async () => {
  show(<Form manifest="plain" inputs={{ site: "a", more: 1 }} />);
  await expect.element(field("site")).toHaveValue("a");
  await paste("secretSite");
  await expect.element(page.getByText(/site is a secret in this manifest/)).toBeVisible();
  await expect.poll(inputsSent).toEqual({ more: 1 });
});

test("the choice that a newer manifest brings is stored as it shows, with its secrets to be entered", async () => {
  show(<Form manifest="plain" inputs={{ site: "a" }} />);
  await expect.element(field("site")).toHaveValue("a");
  await paste("choosing");
  await expect.element(page.getByText("sign.refresh is required")).toBeVisible();
  await expect.poll(inputsSent).toMatchObject({ site: "a", sign: { kind: "oauth" } });
});

test("secrets of a choice that was not saved are asked for, those of the saved one are kept", async () => {
  show(<Form manifest="choosing" inputs={{ sign: { kind: "oauth" } }} stored={["secrets"]} />);
  await expect.element(replace).toBeVisible();
  await expect.element(page.getByText("0 wrong")).toBeVisible();
  await page.getByRole("combobox", { name: "sign.kind" }).click();
  await page.getByRole("option", { name: "Token" }).click();
  await expect.element(page.getByText("sign.token is required")).toBeVisible();
  await expect.element(page.getByText(/enter all of them again/)).toBeVisible();
  await page.getByRole("combobox", { name: "sign.kind" }).click();
  await page.getByRole("option", { name: "OAuth" }).click();
  await expect.element(replace).toBeVisible();
});

test("a default is emptied and typed over without coming back", async () => {
  show(<Form manifest="plain" inputs={{ site: "a" }} />);
  const workers = page.getByRole("textbox", { name: "workers" });
  await expect.element(workers).toHaveValue("10");
  await workers.click();
  await userEvent.keyboard("{End}{Backspace}{Backspace}");
  await expect.element(workers).toHaveValue("");
  await expect.poll(inputsSent).toEqual({ site: "a", workers: null });
  await userEvent.keyboard("5");
  await expect.element(workers).toHaveValue("5");
  await expect.poll(inputsSent).toEqual({ site: "a", workers: 5 });
});

test("a manifest that is too long is refused where it is entered, not cut", async () => {
  show(<Form manifest="plain" inputs={{ site: "a" }} />);
  await paste("x".repeat(900_001));
  await expect.element(page.getByText(/more than 900,000 characters/)).toBeVisible();
  await expect.poll(() => String(sent.config["manifest"]).length).toBe(900_001);
  await expect.element(page.getByText("1 wrong")).toBeVisible();
  // So long a text is entered by the browser, which takes its time on a busy machine.
}, 240_000);

test("who may only look is shown the inputs as they are stored", async () => {
  queryClient.setQueryData(keyOf(getCurrentUser, {}), { id: "1", permissions: ["READ_CONNECTOR"] });
  show(<Form manifest="plain" inputs={{ site: "a" }} />);
  await expect.element(page.getByRole("textbox", { name: "Inputs" })).toHaveValue('{"site":"a"}');
  await expect.element(page.getByText("Secret inputs are not shown.")).toBeVisible();
});
