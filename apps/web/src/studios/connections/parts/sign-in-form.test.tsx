/** Signing in to a system: what is missing counts for the chosen method alone. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import { InputDefinition } from "@accord/contracts/config/inputs";
import { show } from "@accord/ui/test-kit";
import { useState } from "react";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../app/words.ts";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { SignInForm } from "./sign-in-form.tsx";

const key = InputDefinition.parse({ name: "apiKey", label: "API key", datatype: "string", required: true });

const TYPE: ConnectorType = {
  id: "http",
  displayName: "JSON API",
  category: "api",
  capabilities: [],
  description: "",
  icon: "api",
  backgroundColor: "#000000",
  configFields: [],
  authMethods: [
    { type: "apiKey", label: "API key", fields: [key] },
    { type: "none", label: "None", fields: [] },
  ],
};

function Form() {
  const [authType, setAuthType] = useState("apiKey");
  const [credentials, setCredentials] = useState<Record<string, unknown>>({});
  const [errors, setErrors] = useState(0);
  const [showAll, setShowAll] = useState(false);
  return (
    <>
      <SignInForm
        type={TYPE}
        authType={authType}
        config={{}}
        credentials={credentials}
        showAll={showAll}
        onAuthType={setAuthType}
        onCredentials={setCredentials}
        onErrors={setErrors}
      />
      <button
        type="button"
        onClick={() => {
          setShowAll(true);
          focusFirstProblem(document.body);
        }}
      >
        Send
      </button>
      <output>{errors} missing</output>
    </>
  );
}

test("a method without inputs has nothing missing, whatever the one before it asked for", async () => {
  show(<Form />);
  await expect.element(page.getByText("1 missing")).toBeVisible();
  await page.getByRole("combobox", { name: "Sign in with" }).click();
  await page.getByRole("option", { name: "None" }).click();
  await expect.element(page.getByText("0 missing")).toBeVisible();
});

test("what is missing is told at its input, which gets the focus", async () => {
  show(<Form />);
  await page.getByRole("button", { name: "Send" }).click();
  await expect.element(page.getByText("API key is required")).toBeVisible();
  await expect.poll(() => document.activeElement?.getAttribute("aria-invalid")).toBe("true");
});
