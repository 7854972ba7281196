/** The entities of Zendesk: how each is listed, asked for changes, and written in its envelope. */
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { choice, CREATE_ONLY, json, link, moment, READ_ONLY, text, texts, whole, yesNo } from "../fields.ts";

type Calls = Pick<HttpEntityInput, "list" | "getById" | "create" | "update" | "delete">;
type List = HttpEntityInput["list"];

/** `one`: the name of the envelope of a single record. */
function calls(all: string, one: string, list: List): Calls {
  const path = `/${all}/{{id}}.json`;
  return {
    list,
    getById: { path, recordSelector: one },
    create: { method: "POST", path: `/${all}.json`, recordPath: one, recordSelector: one },
    update: { method: "PUT", path, recordPath: one, recordSelector: one },
    delete: { method: "DELETE", path },
  };
}

const listed = (all: string): List => ({
  path: `/${all}.json`,
  recordSelector: all,
  paging: {
    kind: "cursor",
    cursorSelector: "meta.after_cursor",
    cursorParam: "page[after]",
    sizeParam: "page[size]",
    size: 100,
  },
  stop: { hasMoreSelector: "meta.has_more" },
});

/** The incremental export from a moment on: archived and deleted records are in it. A next page is named at its end too. */
const exported = (all: string, start: string) => ({
  path: `/incremental/${all}/cursor.json?start_time=${start}`,
  recordSelector: all,
  paging: { kind: "nextLink", linkSelector: "after_url", sizeParam: "per_page", size: 500 } as const,
  stop: { endSelector: "end_of_stream" },
});

const changes = (all: string): Pick<List, "watermark" | "changes"> => ({
  // The export refuses moments of the last minute, and leaves out what was changed in it.
  watermark: { format: "epochSeconds", overlapSeconds: 120 },
  changes: exported(all, "{{watermark.start}}"),
});

const TIMES = [
  moment("created_at", { isCreatedAtField: true, ...READ_ONLY }),
  moment("updated_at", { isUpdatedAtField: true, ...READ_ONLY }),
];
const ID = whole("id", READ_ONLY);

/** The list of tickets leaves out those that were archived some months after they were closed. */
const ticketCalls = calls("tickets", "ticket", { ...exported("tickets", "1"), ...changes("tickets") });

export const tickets: HttpEntityInput = {
  apiName: "tickets",
  displayName: "Ticket",
  idField: "id",
  watermarkField: "updated_at",
  deletedField: "status",
  deletedValue: "deleted",
  fields: [
    ID,
    text("subject"),
    text("description", { writePath: "comment.body", nillable: false, ...CREATE_ONLY }),
    choice("status", ["new", "open", "pending", "hold", "solved", "closed", "deleted"]),
    choice("priority", ["low", "normal", "high", "urgent"]),
    choice("type", ["problem", "incident", "question", "task"]),
    texts("tags"),
    link("requester_id", "users"),
    link("submitter_id", "users", CREATE_ONLY),
    link("assignee_id", "users"),
    link("organization_id", "organizations"),
    whole("group_id"),
    text("external_id"),
    moment("due_at"),
    json("custom_fields", READ_ONLY),
    json("via", READ_ONLY),
    ...TIMES,
  ],
  ...ticketCalls,
  // Of two agents who save at once the second one is refused, by the second of the last change.
  update: {
    method: "PUT",
    path: "/tickets/{{id}}.json",
    recordPath: "ticket",
    recordSelector: "ticket",
    body: JSON.stringify({ ticket: { safe_update: true } }),
  },
  concurrency: { kind: "versionField", field: "updated_at", name: "ticket.updated_stamp", isCoarse: true },
};

export const users: HttpEntityInput = {
  apiName: "users",
  displayName: "User",
  idField: "id",
  watermarkField: "updated_at",
  deletedField: "active",
  deletedValue: "false",
  fields: [
    ID,
    text("name", { nillable: false }),
    // An address that is changed later is added to the others of the user.
    text("email", { unique: true, ...CREATE_ONLY }),
    choice("role", ["end-user", "agent", "admin"]),
    text("phone"),
    text("alias"),
    text("external_id"),
    link("organization_id", "organizations"),
    text("time_zone"),
    text("locale"),
    texts("tags"),
    text("notes"),
    text("details"),
    yesNo("suspended"),
    yesNo("verified"),
    yesNo("active", READ_ONLY),
    // A member that is left out of these stays as it is: they can't be replaced.
    json("user_fields", CREATE_ONLY),
    moment("last_login_at", READ_ONLY),
    ...TIMES,
  ],
  lookup: { field: "email", path: "/users/search.json?query={{value}}", recordSelector: "users" },
  ...calls("users", "user", { ...listed("users"), ...changes("users") }),
};

export const organizations: HttpEntityInput = {
  apiName: "organizations",
  displayName: "Organization",
  idField: "id",
  watermarkField: "updated_at",
  missingMeansDeleted: true,
  fields: [
    ID,
    text("name", { unique: true, nillable: false }),
    texts("domain_names"),
    text("external_id"),
    text("details"),
    text("notes"),
    whole("group_id"),
    texts("tags"),
    yesNo("shared_tickets"),
    yesNo("shared_comments"),
    json("organization_fields", CREATE_ONLY),
    ...TIMES,
  ],
  ...calls("organizations", "organization", listed("organizations")),
};
