/** The screen of an uploaded synapse: its states, what each of its steps takes and shows, and who may decide. */
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { hasUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { HASH, packageIndex, SDK, sdkStatus, sdkSynapse, sdkTried, sdkVersion } from "./sdk.fixtures.ts";
import {
  answers,
  button,
  onPost,
  openSdk,
  read,
  refuse,
  refuseByState,
  sent,
  serveSdk,
  signIn,
  synapseIs,
} from "./sdk-server.fixtures.tsx";

serveSdk();

const file = (name: string, content = "export const synapse = 1;") => new File([content], name);
const choose = (...files: File[]): Promise<void> =>
  userEvent.upload(page.elementLocator(document.querySelector("input[type=file]") ?? document.body), files);

test("[PLT-040] a new one takes files by their names, says what is wrong with others, and sends all three", async () => {
  answers["POST /custom-synapses/sdk"] = () =>
    refuse(400, "validation_failed", "See the fields.", {
      errors: [{ path: "synapseFile", message: "is not a text in UTF-8" }],
    });
  await openSdk("", "new");
  await expect.element(page.getByText("Create synapse")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "Download template" }))
    .toHaveAttribute("href", "/api/v1/custom-synapses/sdk/template.zip");
  await choose(file("notes.txt"), file("synapse.mjs"), file("big.png", "x".repeat(200_001)));
  await expect.element(page.getByText(/notes\.txt is none of the files/)).toBeVisible();
  await expect.element(page.getByText(/big\.png has 200\.0 kB; 200\.0 kB is the most/)).toBeVisible();
  await page.getByRole("textbox", { name: "Display name" }).fill("Task board!");
  await expect.element(page.getByRole("textbox", { name: "API name" })).toHaveValue("task-board");
  await button("Create draft and go on").click();
  await expect.element(page.getByText("Requirements is required")).toBeVisible();
  await button("Use what this server provides").click();
  await button("Create draft and go on").click();
  await expect.element(page.getByText("Code is not a text in UTF-8")).toBeVisible();
  const { body } = sent[0] ?? { body: null };
  if (!(body instanceof FormData)) throw new Error("It was not sent as a form.");
  expect([...body.keys()].toSorted()).toEqual([
    ...["connectorMetaDisplayName", "connectorMetaName", "publishToGlobal", "requirementsFile", "synapseFile"],
  ]);
});

test("[PLT-040] a taken name is said at the name", async () => {
  answers["POST /custom-synapses/sdk"] = () => refuse(409, "name_taken", "The name is taken.");
  await openSdk("", "new");
  await page.getByRole("textbox", { name: "Display name" }).fill("Tasks");
  await choose(file("a.mjs"), file("package.json", "{}"));
  await button("Create draft and go on").click();
  await expect.element(page.getByText("is taken by another synapse of this instance")).toBeVisible();
});

test("[PLT-040] where code can't run it says why and what to do, and neither tests nor submits", async () => {
  const sandbox = { isAvailable: false, reason: "bwrap is not installed.", fix: "Install bubblewrap." };
  read("/custom-synapses/sdk/package-index", packageIndex({ sandbox }));
  await openSdk("?step=test");
  await expect.element(page.getByText("Uploaded code can't run on this server")).toBeVisible();
  await expect.element(page.getByText("What to do: Install bubblewrap.")).toBeVisible();
  await expect.element(button("Test authentication").last()).toBeDisabled();
  await button("Review and submit").click();
  await expect.element(button("Submit")).toBeDisabled();
});

test("[PLT-040] the program's own inputs are asked for; result, entities, requests and log are shown", async () => {
  onPost("test", () =>
    refuse(400, "validation_failed", "See the fields.", {
      errors: [{ path: "credentials.token", message: "is required" }],
    }),
  );
  await openSdk("?step=test");
  await page.getByRole("textbox", { name: "Address" }).fill("https://tasks.example.com");
  await button("Test authentication").last().click();
  await expect.element(page.getByText("Token is required.", { exact: true })).toBeVisible();
  await page.getByLabelText("Token", { exact: false }).first().fill("my-token");
  onPost("test", () => Response.json(sdkTried()));
  await button("Test authentication").last().click();
  await expect.element(page.getByText("Task, 4 fields")).toBeVisible();
  await expect.element(page.getByText("200 in 12 ms, 2 bytes")).toBeVisible();
  await expect.element(page.getByText("loaded")).toBeVisible();
  expect(sent.at(-1)?.body).toEqual({
    config: { baseUrl: "https://tasks.example.com" },
    ...{ authType: "bearerToken", credentials: { token: "my-token" } },
  });
});

test("[PLT-040] code that can't be read says why", async () => {
  synapseIs(sdkSynapse(), sdkVersion({ description: null }));
  const problem = { kind: "configuration", message: "It exports no synapse." };
  onPost("describe", () => Response.json({ contentHash: HASH, description: null, problem }));
  await openSdk("?step=test");
  await expect.element(page.getByText("It exports no synapse.")).toBeVisible();
});

test("[PLT-040] [PLT-105] sharing is saved as it is chosen; global is asked for and waits for an approval", async () => {
  const instanceIds = ["e".repeat(24)];
  onPost("share", () => Response.json({ scope: "SELECTED", isGlobal: false, instanceIds, version: 3 }));
  onPost("save", () => Response.json(sdkSynapse({ publishToGlobal: true, version: 2 })));
  await openSdk("?step=sharing");
  await page.getByRole("combobox", { name: "Shared with" }).click();
  await page.getByRole("option", { name: "Chosen instances" }).click();
  await button("Save and go on").click();
  await expect.element(page.getByText("Choose an instance, or share it with this one alone.")).toBeVisible();
  await page.getByRole("combobox", { name: "Instances" }).fill("Test");
  await page.getByRole("option", { name: "Test instance" }).click();
  await userEvent.tab();
  await page.getByRole("switch", { name: /Publish to every organisation/ }).click();
  await button("Save and go on").click();
  await expect.element(page.getByText("Sharing is changed.")).toBeVisible();
  expect(sent.map(({ call }) => call.split("/").at(-1))).toEqual(["save", "share"]);
  expect(sent[0]?.body).toMatchObject({ version: 1, publishToGlobal: true });
  expect(sent[1]?.body).toEqual({ version: 2, scope: "SELECTED", instanceIds });
});

test("[PLT-142] submitting says what came of it, with the name and the server's reason", async () => {
  onPost("submit", () => refuseByState("Its code could not be read: no synapse."));
  await openSdk("?step=review");
  await expect.element(page.getByText("c".repeat(64), { exact: false })).toBeVisible();
  await expect.element(page.getByText("Whatever Address says in each connection")).toBeVisible();
  await expect.element(page.getByText("https://login.example.com")).toBeVisible();
  await button("Submit").click();
  await expect
    .element(page.getByText(/^Task board could not be submitted: .* Its code could not be read: no synapse\.$/))
    .toBeVisible();
  expect(sent.at(-1)?.body).toEqual({ contentHash: HASH });
  onPost("submit", () => {
    const draft = sdkVersion({ approvalStatus: "SUBMIT_FOR_APPROVAL" });
    synapseIs(sdkSynapse({ approvalStatus: "SUBMIT_FOR_APPROVAL" }), draft);
    return Response.json(sdkStatus());
  });
  await button("Submit").click();
  await expect.element(page.getByText("Task board is submitted for approval.")).toBeVisible();
  await expect.element(page.getByText("Submitted", { exact: true }).first()).toBeVisible();
});

const submitted = (more: object = {}): void =>
  synapseIs(
    sdkSynapse({ approvalStatus: "SUBMIT_FOR_APPROVAL" }),
    sdkVersion({ approvalStatus: "SUBMIT_FOR_APPROVAL" }),
    more,
  );

test("[PLT-142] withdrawing says what came of it; files stay as they are while it is submitted", async () => {
  submitted();
  onPost("withdraw", () => refuseByState("It is already approved."));
  await openSdk("?step=configure");
  await expect.element(page.getByText("Files can't be replaced while it is submitted or approved.")).toBeVisible();
  await expect.element(button("Choose files")).not.toBeInTheDocument();
  await button("Withdraw").click();
  await expect
    .element(page.getByText(/^Task board could not be withdrawn: .* It is already approved\.$/))
    .toBeVisible();
  onPost("withdraw", () => {
    const returned = { how: "WITHDRAWN" as const, reason: null, returnedAt: "2026-11-02T10:00:00.000Z" };
    synapseIs(sdkSynapse({ returnedAs: "WITHDRAWN" }), sdkVersion({ returned }));
    return Response.json(sdkStatus());
  });
  await button("Withdraw").click();
  await expect.element(page.getByText("Task board is withdrawn.")).toBeVisible();
  await expect.element(page.getByText("Withdrawn", { exact: true })).toBeVisible();
});

test("[PLT-074] whoever had a hand in it reads that somebody else decides; without the permission nothing is offered", async () => {
  submitted();
  signIn(["READ_CONNECTOR", "WRITE_CONNECTOR", "APPROVE_CUSTOM_SYNAPSE"]);
  await openSdk();
  await expect.element(page.getByText(/somebody else has to decide/)).toBeVisible();
  await expect.element(button("Approve")).not.toBeInTheDocument();
});

test("[PLT-074] an approver reads the files, then approves exactly these, or refuses with a reason", async () => {
  submitted({ isAuthor: false });
  signIn(["READ_CONNECTOR", "APPROVE_CUSTOM_SYNAPSE"]);
  onPost("refuse", () => refuse(503, "database_unavailable", "The database can't be reached."));
  onPost("approve", () => Response.json(sdkStatus()));
  await openSdk();
  const link = page.getByRole("link", { name: "Download Code: synapse.mjs" });
  const { contentHash } = sdkVersion();
  await expect
    .element(link)
    .toHaveAttribute("href", `/api/v1/custom-synapses/sdk/${SDK}/draft/files/synapseFile?contentHash=${contentHash}`);
  await expect.element(button("Approve")).toBeDisabled();
  await button("Refuse").click();
  const reason = page.getByRole("textbox", { name: "What has to change" });
  await reason.fill("Fewer addresses.");
  await page.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  await expect.element(page.getByRole("dialog").getByText("The database can't be reached.")).toBeVisible();
  // What was written outlasts the failure and the window.
  await userEvent.keyboard("{Escape}");
  await expect.element(reason).not.toBeInTheDocument();
  expect(hasUnsavedChanges()).toBe(true);
  await button("Refuse").click();
  await expect.element(reason).toHaveValue("Fewer addresses.");
  await userEvent.keyboard("{Escape}");
  await expect.element(reason).not.toBeInTheDocument();
  const box = page.getByRole("checkbox", { name: /I read the code/ });
  await box.click();
  await userEvent.keyboard("{Enter}");
  await expect.element(box).toBeChecked();
  await button("Approve").click();
  await expect.element(page.getByText("Task board is approved and is being deployed.")).toBeVisible();
  expect(sent.map(({ body }) => body)).toEqual([
    { contentHash, reason: "Fewer addresses." },
    { contentHash, publishToGlobal: false },
  ]);
});

test("[PLT-074] a refusal is shown with its reason, a failed deployment with its message", async () => {
  const returned = { how: "REFUSED" as const, reason: "Fewer addresses.", returnedAt: "2026-11-02T10:00:00.000Z" };
  synapseIs(sdkSynapse({ returnedAs: "REFUSED" }), sdkVersion({ returned }));
  await openSdk();
  await expect.element(page.getByText("Fewer addresses.")).toBeVisible();
  await expect.element(page.getByText("Refused", { exact: true })).toBeVisible();
});

test("[PLT-074] a failed deployment says why", async () => {
  const state = { approvalStatus: "SUBMIT_FOR_APPROVAL", deploymentStatus: "ERROR" } as const;
  synapseIs(
    sdkSynapse({ ...state, deploymentMessage: "It describes itself differently." }),
    sdkVersion({ approvalStatus: "SUBMIT_FOR_APPROVAL" }),
  );
  await openSdk();
  await expect.element(page.getByText(/It describes itself differently\./)).toBeVisible();
});

test("[PLT-105] one that another instance shares is shown, connected, and not changed", async () => {
  const published = sdkVersion({ approvalStatus: "APPROVED" });
  read(`/custom-synapses/sdk/${SDK}`, {
    ...sdkSynapse({ approvalStatus: "APPROVED", deploymentStatus: "ACTIVE", isOwn: false, hasDraft: false }),
    published,
  });
  await openSdk();
  await expect.element(page.getByText(/Another instance made it/)).toBeVisible();
  await expect.element(button("Delete synapse")).not.toBeInTheDocument();
  await button("Connect").click();
  await expect.element(page.getByText("A new connection")).toBeVisible();
});

test("[PLT-040] readers of synapses see no way to make one", async () => {
  signIn(["READ_CONNECTOR"]);
  await openSdk("", "new");
  await expect.element(page.getByText("Create draft and go on")).not.toBeInTheDocument();
});
