/** What is typed and chosen for an uploaded synapse: it lasts from step to step, and nothing of it is lost or sent silently. */
import { getSdkSynapse, getSdkSynapseDraft } from "@accord/contracts/connections/sdk-synapses";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { refresh } from "../../../app/queries.ts";
import { hasUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { HASH, sdkDescription, sdkSynapse, sdkTried, sdkVersion } from "./sdk.fixtures.ts";
import {
  answers,
  AT,
  button,
  onPost,
  openSdk,
  refuse,
  refuseByState,
  sent,
  serveSdk,
  shareIs,
  signIn,
  synapseIs,
} from "./sdk-server.fixtures.tsx";

serveSdk();

const OTHER_HASH = "f".repeat(64);
const file = (name: string, content = "export const synapse = 1;") => new File([content], name);
const choose = async (...files: File[]): Promise<void> => {
  await expect.element(button("Choose files")).toBeVisible();
  await userEvent.upload(page.elementLocator(document.querySelector("input[type=file]") ?? document.body), files);
};
/** Somebody else changed it: the page reads it again. */
const nowIs = async (...state: Parameters<typeof synapseIs>): Promise<void> => {
  synapseIs(...state);
  await refresh(getSdkSynapse, getSdkSynapseDraft);
};
const submitted = [
  sdkSynapse({ approvalStatus: "SUBMIT_FOR_APPROVAL" }),
  sdkVersion({ approvalStatus: "SUBMIT_FOR_APPROVAL" }),
] as const;
const calls = (): string[] => sent.map(({ call }) => call.replace(AT, ""));

test("[PLT-040] the template's files chosen together upload its code; what is left out or replaced is said", async () => {
  await openSdk("", "new");
  await choose(file("synapse.test.mjs"), file("synapse.mjs"), file("inputs.json", "{}"), file("package.json", "{}"));
  const files = page.getByRole("list", { name: "Program files" });
  await expect.element(files.getByText(/^synapse\.mjs/)).toBeVisible();
  await expect.element(files.getByText(/^package\.json/)).toBeVisible();
  await expect.element(page.getByText("synapse.test.mjs is a test, and not uploaded.")).toBeVisible();
  await expect.element(page.getByText(/^inputs\.json is not uploaded/)).toBeVisible();
  await choose(file("mine.mjs"), file("also-mine.mjs"));
  await expect.element(page.getByText(/^also-mine\.mjs is left out: Code is one file, and mine\.mjs/)).toBeVisible();
  await expect.element(page.getByText(/^mine\.mjs takes the place of synapse\.mjs/)).toBeVisible();
});

test("[PLT-040] inputs and result of a test last from step to step; Enter runs it", async () => {
  onPost("test", () => Response.json(sdkTried({ exchangeCount: 30 })));
  await openSdk("?step=test");
  await expect.element(page.getByRole("textbox", { name: "Address" })).toBeVisible();
  expect(hasUnsavedChanges()).toBe(false);
  await page.getByRole("textbox", { name: "Address" }).fill("https://tasks.example.com");
  await page.getByLabelText("Token", { exact: false }).first().fill("my-token");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("Task, 4 fields")).toBeVisible();
  await expect.element(page.getByText("1 of 30 calls are shown: the first and the last.")).toBeVisible();
  expect(calls()).toEqual(["POST /test"]);
  expect(hasUnsavedChanges()).toBe(true);
  await button("Sharing options").click();
  await expect.element(page.getByText("Rights of its author")).toBeVisible();
  await button("Test authentication").first().click();
  await expect.element(page.getByText("Task, 4 fields")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Address" })).toHaveValue("https://tasks.example.com");
  await expect.element(page.getByLabelText("Token", { exact: false }).first()).toHaveValue("my-token");
});

test("[PLT-040] a program with other inputs keeps what was typed for those that stay, and no result of the former", async () => {
  onPost("test", () => Response.json(sdkTried()));
  await openSdk("?step=test");
  await page.getByRole("textbox", { name: "Address" }).fill("https://tasks.example.com");
  await page.getByLabelText("Token", { exact: false }).first().fill("my-token");
  await button("Test authentication").last().click();
  await expect.element(page.getByText("Task, 4 fields")).toBeVisible();
  const account = { name: "account", label: "Account", datatype: "string", required: true };
  const description = { ...sdkDescription, configFields: [...sdkDescription.configFields, account] };
  await nowIs(sdkSynapse(), { ...sdkVersion({ contentHash: OTHER_HASH }), description });
  await expect.element(page.getByRole("textbox", { name: "Account" })).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Address" })).toHaveValue("https://tasks.example.com");
  await expect.element(page.getByText("Task, 4 fields")).not.toBeInTheDocument();
  await expect.element(page.getByText(/^The files are others than those that were tested/)).toBeVisible();
});

test("[PLT-040] what a program says of itself is of the upload that is shown", async () => {
  const describes = (contentHash: string, displayName: string): void =>
    onPost("describe", () =>
      Response.json({ contentHash, description: { ...sdkDescription, displayName }, problem: null }),
    );
  synapseIs(sdkSynapse(), sdkVersion({ description: null }));
  describes(HASH, "The former program");
  await openSdk("?step=review");
  await expect.element(page.getByText("The former program")).toBeVisible();
  describes(OTHER_HASH, "The new program");
  await nowIs(sdkSynapse(), sdkVersion({ description: null, contentHash: OTHER_HASH }));
  await expect.element(page.getByText("The new program")).toBeVisible();
  await expect.element(page.getByText("The former program")).not.toBeInTheDocument();
});

test("[PLT-040] where the program can't be asked it is tried again; without the permission that is said", async () => {
  synapseIs(sdkSynapse(), sdkVersion({ description: null }));
  onPost("describe", () => refuse(503, "server_busy", "The server is busy."));
  await openSdk("?step=test");
  await expect.element(page.getByText("The server is busy.")).toBeVisible();
  onPost("describe", () => Response.json({ contentHash: HASH, description: sdkDescription, problem: null }));
  await button("Try again").click();
  await expect.element(page.getByRole("textbox", { name: "Address" })).toBeVisible();
});

test("[PLT-040] whoever may not run code reads that, and what to do", async () => {
  signIn(["READ_CONNECTOR", "WRITE_CONNECTOR"]);
  synapseIs(sdkSynapse(), sdkVersion({ description: null }));
  await openSdk("?step=test");
  await expect.element(page.getByText(/You may not run it: ask an administrator/)).toBeVisible();
  expect(sent).toEqual([]);
});

test("[PLT-040] chosen files that are not saved are said in later steps, saved from there, and keep from submitting", async () => {
  answers[`PUT ${AT}/draft`] = () => Response.json(sdkVersion({ contentHash: OTHER_HASH }));
  await openSdk("?step=configure");
  await choose(file("newer.mjs"));
  await button("Review and submit").click();
  await expect.element(page.getByText(/^Chosen files are not saved yet/)).toBeVisible();
  await expect.element(button("Submit")).toBeDisabled();
  await expect.element(page.getByText("Save or discard your changes first, then submit.")).toBeVisible();
  await button("Save").click();
  await expect.element(page.getByText(/^Chosen files are not saved yet/)).not.toBeInTheDocument();
  await expect.element(button("Submit")).toBeEnabled();
  expect(calls()).toEqual(["PUT /draft"]);
});

test("[PLT-040] files that were chosen for a draft that is submitted by now are kept, and not said to be saved", async () => {
  await openSdk("?step=configure");
  await choose(file("newer.mjs"));
  await nowIs(...submitted);
  await expect.element(page.getByText(/^The chosen files are not saved: there is no draft now/).first()).toBeVisible();
  await button("Save and go on").click();
  await expect.element(page.getByText(/^newer\.mjs/)).toBeVisible();
  expect(sent).toEqual([]);
  await button("Drop them").click();
  await expect.element(page.getByText(/^newer\.mjs/)).not.toBeInTheDocument();
});

test("[PLT-142] what is refused by its state is shown as it is now", async () => {
  synapseIs(...submitted);
  onPost("withdraw", () => {
    synapseIs(
      sdkSynapse({ approvalStatus: "APPROVED", deploymentStatus: "ACTIVE", hasDraft: false }),
      sdkVersion({ approvalStatus: "APPROVED" }),
    );
    return refuseByState("It is already approved.");
  });
  await openSdk();
  await button("Withdraw").click();
  await expect.element(page.getByText(/It is already approved\.$/)).toBeVisible();
  await expect.element(page.getByText("Deployed", { exact: true })).toBeVisible();
});

test("[PLT-074] where somebody else decided meanwhile an approver reads why nothing came of it", async () => {
  signIn(["READ_CONNECTOR", "APPROVE_CUSTOM_SYNAPSE"]);
  synapseIs(...submitted, { isAuthor: false });
  onPost("refuse", () => {
    synapseIs(sdkSynapse(), sdkVersion(), { isAuthor: false });
    return refuseByState("It was withdrawn.");
  });
  await openSdk();
  await button("Refuse").click();
  await page.getByRole("textbox", { name: "What has to change" }).fill("Fewer addresses.");
  await page.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  await expect.element(page.getByText("It was withdrawn.").first()).toBeVisible();
  await expect.element(page.getByText("Draft", { exact: true })).toBeVisible();
});

const ONE = "e".repeat(24);
const published = { ...sdkSynapse(), published: sdkVersion({ approvalStatus: "APPROVED" }) };
const WARNING = /^Connections of instances that lose it stop working/;

test("[PLT-105] an instance that loses it is warned of; the organisation in its place loses nothing", async () => {
  synapseIs({ ...published, scope: "SELECTED" });
  shareIs({ scope: "SELECTED", instanceIds: [ONE] });
  await openSdk("?step=sharing");
  await page.getByRole("combobox", { name: "Instances" }).click();
  await userEvent.keyboard("{Backspace}");
  await expect.element(page.getByText(WARNING)).toBeVisible();
  await page.getByRole("combobox", { name: "Shared with" }).click();
  await page.getByRole("option", { name: "All instances of the organisation" }).click();
  await expect.element(page.getByText(WARNING)).not.toBeInTheDocument();
});

test("[PLT-105] ending its publication to everybody is warned of, and no longer called in force", async () => {
  synapseIs({ ...published, scope: "GLOBAL", isGlobal: true, publishToGlobal: true });
  shareIs({ scope: "SUBSCRIPTION", isGlobal: true });
  await openSdk("?step=sharing");
  await expect.element(page.getByText("It is published to every organisation.")).toBeVisible();
  await expect
    .element(page.getByRole("combobox", { name: "Shared with" }))
    .toHaveValue("All instances of the organisation");
  await page.getByRole("switch", { name: /Publish to every organisation/ }).click();
  await expect.element(page.getByText(WARNING)).toBeVisible();
  await expect.element(page.getByText("It is published to every organisation.")).not.toBeInTheDocument();
  await expect.element(page.getByText(/^It ends as soon as this is saved/)).toBeVisible();
});

test("[PLT-105] sharing that somebody else changed meanwhile is shown as it is, and not overwritten", async () => {
  onPost("share", () => {
    shareIs({ scope: "SELECTED", instanceIds: [ONE], version: 2 });
    return refuse(409, "stale_version", "Somebody else changed this in the meantime.");
  });
  await openSdk("?step=sharing");
  await page.getByRole("combobox", { name: "Shared with" }).click();
  await page.getByRole("option", { name: "All instances of the organisation" }).click();
  await button("Save and go on").click();
  await expect.element(page.getByText(/^Somebody changed it meanwhile\. This is how it is shared now/)).toBeVisible();
  await expect.element(page.getByRole("combobox", { name: "Shared with" })).toHaveValue("Chosen instances");
  expect(sent[0]?.body).toMatchObject({ version: 1, scope: "SUBSCRIPTION" });
});

test("[PLT-105] renaming it meanwhile is no change by others: sharing is saved from another step", async () => {
  onPost("save", () => {
    synapseIs(sdkSynapse({ connectorMetaDisplayName: "Task list", version: 2 }));
    shareIs({ version: 2 });
    return Response.json(sdkSynapse({ connectorMetaDisplayName: "Task list", version: 2 }));
  });
  onPost("share", () => Response.json({ scope: "SUBSCRIPTION", isGlobal: false, instanceIds: [], version: 3 }));
  await openSdk("?step=sharing");
  await page.getByRole("combobox", { name: "Shared with" }).click();
  await page.getByRole("option", { name: "All instances of the organisation" }).click();
  await button("Edit synapse").click();
  await page.getByRole("textbox", { name: "Display name" }).fill("Task list");
  await button("Save and go on").click();
  await expect.element(page.getByText(/^What is chosen under Sharing options is not saved yet/)).toBeVisible();
  await button("Save").click();
  await expect.element(page.getByText("Sharing is changed.")).toBeVisible();
  expect(sent.at(-1)).toMatchObject({ call: `POST ${AT}/share`, body: { version: 2, scope: "SUBSCRIPTION" } });
});
