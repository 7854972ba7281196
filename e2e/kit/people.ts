/** Makes a person with a role in a journey: invited by an administrator, with a password by a one-time link. */
import type { Browser } from "playwright-core";
import { newVisitor, type Visitor } from "./visitor.ts";

export interface Invited {
  email: string;
  firstName: string;
  lastName: string;
  password: string;
}

/** Signed in, in a window of their own. `role`: its name as the invitation form shows it. */
export async function invitePerson(
  { browser, url, admin }: { browser: Browser; url: string; admin: Visitor },
  role: string,
  person: Invited,
): Promise<Visitor> {
  const { page } = admin;
  await admin.open("/user");
  await page.getByRole("button", { name: "Invite" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("E-mail address").fill(person.email);
  await dialog.getByLabel("First name").fill(person.firstName);
  await dialog.getByLabel("Last name").fill(person.lastName);
  // The roles are read first; one of them is chosen beforehand.
  await dialog.getByRole("checkbox", { name: role, exact: true }).waitFor();
  for (const box of await dialog.getByRole("checkbox").all()) if (await box.isChecked()) await box.uncheck();
  await dialog.getByRole("checkbox", { name: role, exact: true }).check();
  await dialog.getByRole("button", { name: "Send invitation" }).click();
  await page.getByRole("row").filter({ hasText: person.email }).getByText("Invited").waitFor();
  const link = await oneTimeLink(admin, person.email, "invites you to Accord");

  const visitor = await newVisitor(browser, url);
  await visitor.open(new URL(link).pathname);
  await visitor.page.getByLabel("New password", { exact: true }).fill(person.password);
  await visitor.page.getByLabel("Confirm password", { exact: true }).fill(person.password);
  await visitor.page.getByRole("button", { name: "Set password" }).click();
  await visitor.page.getByRole("heading", { name: "You're in" }).waitFor();
  await visitor.signIn(person.email, person.password);
  await visitor.page.getByRole("heading", { name: `Hello, ${person.firstName}` }).waitFor();
  return visitor;
}

/** The link that an administrator hands over, made beside the newest mail of this subject to the person, once it is written. */
export async function oneTimeLink(admin: Visitor, email: string, subject: string): Promise<string> {
  await admin.open("/settings/outbox");
  await admin.page.getByRole("row").filter({ hasText: email }).filter({ hasText: subject }).first().click();
  const mail = admin.page.getByRole("complementary");
  await mail.getByRole("button", { name: "Make a one-time link" }).click();
  return (await mail.locator("code").innerText()).trim();
}
