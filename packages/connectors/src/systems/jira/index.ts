/** Jira Cloud: the issues of one project. Written by its REST API reference (https://developer.atlassian.com/cloud/jira/platform/rest/v2). */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { z } from "zod";
import { inAddress } from "../address.ts";
import { accountName, byEmailAndToken } from "../sign-in.ts";
import { defineSystem, type FoundEntity } from "../system.ts";
import { customFieldsIn, ISSUE_FIELDS, pathsOf } from "./issue-fields.ts";

interface Project {
  site: string;
  projectKey: string;
}

const ISSUE = { apiName: "issues", displayName: "Issue" };

const search = (query: string): string => `/search/jql?fields=*all&jql=${inAddress(query)}`;

function described({ apiName, fields }: FoundEntity, { projectKey }: Project): HttpEntityInput | null {
  if (apiName !== ISSUE.apiName) return null;
  const one = "/issue/{{id}}";
  const page = {
    recordSelector: "issues",
    paging: {
      kind: "cursor",
      cursorSelector: "nextPageToken",
      cursorParam: "nextPageToken",
      sizeParam: "maxResults",
      size: 100,
    },
  } as const;
  return {
    ...ISSUE,
    idField: "id",
    watermarkField: "updated",
    fields: fields.map((field) => ({ ...pathsOf(field), ...field })),
    // A member of an object that is null is no member at all.
    leavesOutEmpty: true,
    missingMeansDeleted: true,
    list: {
      path: search(`project = "${projectKey}" ORDER BY key ASC`),
      ...page,
      // The index that searches ask lags behind by seconds.
      watermark: { format: "epochMilliseconds", overlapSeconds: 120 },
      changes: {
        path: search(`project = "${projectKey}" AND updated >= {{watermark.start}} ORDER BY updated ASC`),
        ...page,
      },
    },
    getById: { path: `${one}?fields=*all` },
    create: {
      method: "POST",
      path: "/issue",
      recordPath: "fields",
      body: JSON.stringify({ fields: { project: { key: projectKey } } }),
    },
    update: { method: "PUT", path: one, recordPath: "fields" },
    delete: { method: "DELETE", path: `${one}?deleteSubtasks=true` },
  };
}

export const jira = defineSystem({
  type: "jira",
  displayName: "Jira",
  description: "The issues of one project of Jira Cloud, with its own fields; read, created and changed.",
  icon: "jira",
  backgroundColor: "blue",
  helpUrl: "https://developer.atlassian.com/cloud/jira/platform/rest/v2/",
  inputs: {
    site: accountName("the site's address"),
    projectKey: z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z][A-Z0-9_]{0,254}$/, "is the short name in front of the numbers of issues"),
  },
  inputFields: [
    {
      name: "site",
      label: "Site",
      datatype: "string",
      required: true,
      helpText: "acme, where the site's address is acme.atlassian.net",
    },
    {
      name: "projectKey",
      label: "Project key",
      datatype: "string",
      required: true,
      helpText: "What stands in front of the numbers of its issues: SUP in SUP-17.",
    },
  ],
  signIn: [byEmailAndToken({ helpText: "Of the token's owner." })],
  api: ({ site, projectKey }) => ({
    baseUrl: `https://${site}.atlassian.net/rest/api/2`,
    checkPath: `/project/${projectKey}`,
    errorSelector: "errorMessages[0]",
    parallelWrites: 2,
  }),
  entities: {
    async find(inputs, calls) {
      const entity = described(
        { ...ISSUE, fields: [...ISSUE_FIELDS, ...customFieldsIn(await calls.get("/field"))] },
        inputs,
      );
      return entity ? [entity] : [];
    },
    describe: described,
  },
  readDelaySeconds: 10,
});
