/** GitHub: the issues of one repository. Written by its REST API reference (https://docs.github.com/rest/issues/issues). */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { z } from "zod";
import { choice, json, moment, READ_ONLY, text, texts, whole, yesNo } from "../fields.ts";
import { byToken } from "../sign-in.ts";
import { defineSystem, fixedEntities } from "../system.ts";

interface Repository {
  owner: string;
  repository: string;
}

function issues({ owner, repository }: Repository): HttpEntityInput {
  const path = `/repos/${owner}/${repository}/issues`;
  const one = `${path}/{{id}}`;
  return {
    apiName: "issues",
    displayName: "Issue",
    idField: "number",
    watermarkField: "updated_at",
    fields: [
      whole("number", READ_ONLY),
      text("title", { nillable: false }),
      text("body"),
      choice("state", ["open", "closed"], { initializable: false }),
      choice("state_reason", ["completed", "not_planned", "reopened", "duplicate"], { initializable: false }),
      texts("labels", { path: "labels[*].name", writePath: "labels" }),
      texts("assignees", { path: "assignees[*].login", writePath: "assignees" }),
      whole("milestone", { path: "milestone.number", writePath: "milestone" }),
      text("author", { path: "user.login", ...READ_ONLY }),
      whole("comments", READ_ONLY),
      yesNo("locked", READ_ONLY),
      text("html_url", { displayName: "Address", ...READ_ONLY }),
      json("reactions", READ_ONLY),
      moment("created_at", { isCreatedAtField: true, ...READ_ONLY }),
      moment("updated_at", { isUpdatedAtField: true, ...READ_ONLY }),
      moment("closed_at", READ_ONLY),
    ],
    // A member of an object that is null is no member at all.
    leavesOutEmpty: true,
    missingMeansDeleted: true,
    list: {
      path: `${path}?state=all&sort=updated&direction=asc`,
      paging: { kind: "linkHeader", sizeParam: "per_page", size: 100 },
      // Pull requests are listed as issues too.
      leaveOutSelector: "pull_request",
      watermark: { param: "since", sorted: true },
    },
    getById: { path: one },
    create: { method: "POST", path },
    update: { method: "PATCH", path: one },
  };
}

const Name = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9_.-]{1,100}$/, "holds only letters, digits, dots, - and _")
  .refine((name) => name !== "." && name !== "..", "is no name");

export const github = defineSystem({
  type: "github",
  displayName: "GitHub",
  description: "The issues of one repository, read, opened and changed.",
  icon: "github",
  backgroundColor: "violet",
  helpUrl: "https://docs.github.com/rest/issues/issues",
  inputs: { owner: Name, repository: Name },
  inputFields: [
    { name: "owner", label: "Owner", datatype: "string", required: true, helpText: "The person or organization." },
    { name: "repository", label: "Repository", datatype: "string", required: true, helpText: "Its name alone." },
  ],
  signIn: [
    byToken({
      label: "Personal access token",
      helpText: "A fine-grained token for this repository, with read and write access to its issues.",
    }),
  ],
  consent: {
    idLabel: "Client ID",
    secretLabel: "Client secret",
    helpText:
      "Of an OAuth app, or of a GitHub App that is installed in the repository and may read and write its issues; the scopes count for OAuth apps alone.",
    addresses: () => ({
      authorizationUrl: "https://github.com/login/oauth/authorize",
      tokenUrl: "https://github.com/login/oauth/access_token",
    }),
    scope: "repo",
    clientAuthentication: "body",
    pkce: true,
    account: { from: "call", url: "/user", headers: {}, idSelector: "id", nameSelector: "login" },
    errorCodes: {
      bad_refresh_token: "invalid_grant",
      bad_verification_code: "invalid_grant",
      incorrect_client_credentials: "invalid_client",
    },
  },
  api: ({ owner, repository }) => ({
    baseUrl: "https://api.github.com",
    checkPath: `/repos/${owner}/${repository}`,
    errorSelector: "message",
    headers: [
      { name: "Accept", value: "application/vnd.github+json" },
      { name: "X-GitHub-Api-Version", value: "2022-11-28" },
      { name: "User-Agent", value: "Accord" },
    ],
    // Writes side by side count as abuse there.
    parallelWrites: 1,
  }),
  entities: fixedEntities((inputs: Repository) => [issues(inputs)]),
});
