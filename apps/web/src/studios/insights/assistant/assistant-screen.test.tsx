/** Questions become a proposal beside its chart, change it step by step, can be taken back, and end as a saved card. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { getCardAssistant } from "@accord/contracts/insights/card-assistant";
import axe from "axe-core";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { hasUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { keyOf, queryClient, refresh } from "../../../app/queries.ts";
import { showScreens } from "../../../app/show-in-router.fixtures.tsx";
import "../../../app/words.ts";
import { forEachTest, ids, PERMISSIONS, type WizardServer } from "../card-wizard/wizard-server.fixtures.ts";
import { AskButton } from "../parts/ask-button.tsx";
import { AssistantScreen } from "./assistant-screen.tsx";
import { type AssistantServer, withAssistant } from "./assistant-server.fixtures.ts";

let server: WizardServer;
let assistant: AssistantServer;
forEachTest((started) => (server = started));
withAssistant((started) => (assistant = started));

const open = (path = "/insights-studio/aiassisted") =>
  showScreens(
    {
      "/insights-studio/aiassisted": AssistantScreen,
      "/insights-studio/$dashboardId/$version/aiassisted": AssistantScreen,
      "/insights-studio/cards": () => <p>Cards</p>,
      "/insights-studio/$dashboardId/$version": () => <h1>The dashboard</h1>,
      "/start": () => <AskButton />,
    },
    path,
  );
const button = (name: string) => page.getByRole("button", { name, exact: true });
const box = () => page.getByRole("textbox", { name: /^(Question|Change the proposal)$/ });
const ask = async (question: string) => {
  await box().fill(question);
  await userEvent.keyboard("{Enter}");
};
const diff = () => page.getByRole("region", { name: /^(Proposal|What the last question changed)$/ });

test("[INS-013] a question is answered with a proposal and its chart; a further one changes it, and can be taken back", async () => {
  open();
  await ask("Amount by status");
  await expect.element(diff().getByText("Bar", { exact: true })).toBeVisible();
  await expect.element(diff().getByText("Sum of Amount")).toBeVisible();
  await expect.poll(() => server.previews.at(-1)?.vizType).toBe("BAR");
  await expect.element(box()).toHaveValue("");
  await ask("as a pie");
  await expect.element(diff().getByRole("insertion")).toHaveTextContent("Donut");
  await expect.element(diff().getByRole("deletion")).toHaveTextContent("Bar");
  await expect.poll(() => server.previews.at(-1)?.vizType).toBe("PIE");
  expect(assistant.asked.at(-1)).toMatchObject({ question: "as a pie", previous: { vizType: "BAR" } });
  await button("Undo the last question").click();
  await expect.element(diff().getByText("Donut")).not.toBeInTheDocument();
  await expect.element(box()).toHaveValue("as a pie");
});

test("[INS-004] the proposal is saved as a card, as it is or edited in the ordinary editor", async () => {
  open();
  await ask("Amount by status");
  await button("Edit the card").click();
  await page.getByRole("textbox", { name: "Show at most" }).fill("3");
  await button("Back to the proposal").click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel", exact: true }).click();
  await button("Save as a card…").click();
  await expect.element(page.getByRole("dialog").getByLabelText(/Display name/)).toHaveValue("Amount by Status");
  await button("Save card").click();
  await expect.element(page.getByText("Cards", { exact: true })).toBeVisible();
  expect(server.writes).toHaveLength(1);
  expect(JSON.stringify(server.writes)).toContain('"top":3');
  expect(server.writes[0]).toMatchObject({
    ...{ method: "POST", path: "/datacards" },
    body: { description: "Amount by status", contents: { configuration: { datasetId: ids.dataset } } },
  });
});

test("a new dataset is said to be one, drawn before it is there, and made with the card", async () => {
  assistant.makesDataset = true;
  open();
  await ask("Amount by status");
  await expect.element(diff().getByText("New dataset of all Deals records, with 4 columns")).toBeVisible();
  await expect.poll(() => server.previews.at(-1)?.vizType).toBe("BAR");
  await button("Save as a card…").click();
  await button("Save card").click();
  await expect.poll(() => server.writes.map(({ path }) => path)).toEqual(["/datasets", "/datacards"]);
  expect(server.writes[0]?.body).toMatchObject({ displayName: "Deals" });
});

test("nothing typed is lost: a refused question stays with its reason, and what is left out is said", async () => {
  open();
  await ask("Will it rain?");
  await expect.element(page.getByText("Nothing could be made of this question.")).toBeVisible();
  await expect.element(page.getByText("It names no column.")).toBeVisible();
  await expect.element(box()).toHaveValue("Will it rain?");
  expect(hasUnsavedChanges()).toBe(true);
  await ask("Amount by status for Mars");
  await expect.element(page.getByText("Nothing was made of: Mars")).toBeVisible();
  await button("Start over").click();
  await page.getByRole("dialog").getByRole("button", { name: "Start over" }).click();
  await expect.element(page.getByRole("textbox", { name: "Question", exact: true })).toBeVisible();
});

test("examples are made of the dataset's own columns; values are read only of a chosen dataset and on request", async () => {
  open();
  await button("Amount by status").click();
  await expect.poll(() => assistant.asked).toEqual([{ question: "Amount by status", samples: false }]);
  await button("Undo the last question").click();
  await page.getByRole("combobox", { name: "Dataset" }).click();
  await page.getByRole("option", { name: "Deals" }).click();
  expect((await axe.run(document.querySelector(".ac-assistant")!)).violations).toEqual([]);
  await expect.element(page.getByRole("checkbox", { name: "Use values of this dataset" })).not.toBeInTheDocument();
});

test("[INS-004] without a provider the button says so and the screen how to configure one, which is done right there", async () => {
  assistant.assistant = "none";
  const router = open("/start");
  await expect
    .element(button("Ask for a card"))
    .toHaveAttribute("aria-description", "No assistant is configured. Open it to see how.");
  await button("Ask for a card").click();
  expect(router.state.location.pathname).toBe("/insights-studio/aiassisted");
  await expect.element(page.getByText(/Choose one under Configure/)).toBeVisible();
  await button("Configure").click();
  await page.getByRole("radio", { name: "A language model" }).click();
  await page.getByRole("textbox", { name: "Base address" }).fill("https://models.example/v1");
  await page.getByRole("textbox", { name: "Model", exact: true }).fill("tiny");
  await page.getByLabelText("Secret key").fill("key-1");
  expect((await axe.run(document.querySelector('[role="dialog"] form')!)).violations).toEqual([]);
  await button("Save").click();
  await expect.element(page.getByText("Answered by tiny at models.example")).toBeVisible();
  expect(assistant.settings).toEqual([
    {
      ...{ protocol: "completions", endpoint: "https://models.example/v1", model: "tiny" },
      ...{ authentication: { type: "bearer" }, secret: "key-1" },
    },
  ]);
});

test("[INS-013] what was asked stays when the assistant is switched off meanwhile, and can still be saved", async () => {
  open();
  await ask("Amount by status");
  await expect.element(diff().getByText("Sum of Amount")).toBeVisible();
  assistant.isEnabled = false;
  await ask("as a pie");
  await expect.element(page.getByText(/Questions can't be asked any more/)).toBeVisible();
  await expect.element(box()).toHaveValue("as a pie");
  await expect.element(button("Ask")).toBeDisabled();
  await userEvent.keyboard("{Enter}");
  expect(assistant.asked).toHaveLength(1);
  expect((await axe.run(document.querySelector(".ac-assistant")!)).violations).toEqual([]);
  await button("Save as a card…").click();
  await button("Save card").click();
  await expect.element(page.getByText("Cards", { exact: true })).toBeVisible();
  expect(server.writes.map(({ path }) => path)).toEqual(["/datacards"]);
});

test("a question that is being typed stays when its provider is taken away", async () => {
  open();
  await box().fill("Amount by");
  assistant.assistant = "none";
  await refresh(getCardAssistant);
  await expect.element(page.getByText(/Questions can't be asked any more/)).toBeVisible();
  await expect.element(box()).toHaveValue("Amount by");
});

test("[INS-004] a card that is half saved is gone on with: no dataset and no card is made twice", async () => {
  const user = { id: "1", permissions: [...PERMISSIONS, "UPDATE_DASHBOARD"] };
  queryClient.setQueryData(keyOf(getCurrentUser, {}), user);
  Object.assign(assistant, { makesDataset: true, fails: "POST /datacards" });
  open(`/insights-studio/${ids.dashboard}/draft/aiassisted`);
  await ask("Amount by status");
  await button("Save as a card…").click();
  await button("Add to dashboard").click();
  await expect.element(page.getByText(/The dataset is saved, the card is not/)).toBeVisible();
  assistant.fails = `PUT /dashboards/${ids.dashboard}`;
  await button("Add to dashboard").click();
  await expect.element(page.getByText(/The card itself is saved/)).toBeVisible();
  await page
    .getByRole("dialog")
    .getByLabelText(/Display name/)
    .fill("Renamed");
  assistant.fails = "";
  await button("Add to dashboard").click();
  await expect.element(page.getByRole("heading", { name: "The dashboard" })).toBeVisible();
  expect(server.writes.map(({ method, path }) => `${method} ${path}`)).toEqual([
    ...["POST /datasets", "POST /datacards", `PUT /datacards/${ids.card}`],
  ]);
  expect(assistant.boards).toEqual([[ids.card]]);
});

test("a card is put on a dashboard only by people who may change it", async () => {
  open(`/insights-studio/${ids.dashboard}/draft/aiassisted`);
  await ask("Amount by status");
  await button("Save as a card…").click();
  await button("Save card").click();
  await expect.element(page.getByRole("heading", { name: "The dashboard" })).toBeVisible();
  expect(assistant.boards).toEqual([]);
});

test("people who may not configure it read whom to ask", async () => {
  Object.assign(assistant, { assistant: "none", mayConfigure: false });
  open();
  await expect.element(page.getByText(/Somebody who may enter credentials of services/)).toBeVisible();
  await expect.element(button("Configure")).not.toBeInTheDocument();
});

test("[INS-004] with the feature off there is neither a button nor the page", async () => {
  assistant.isEnabled = false;
  open(`/insights-studio/${ids.dashboard}/draft/aiassisted`);
  await expect.element(page.getByText("This page doesn't exist")).toBeVisible();
  await expect.element(page.getByRole("textbox", { name: "Question" })).not.toBeInTheDocument();
});
