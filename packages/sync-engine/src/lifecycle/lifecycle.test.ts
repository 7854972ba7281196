/** Tags, menus and numbers of the pipeline table follow its tables. */
import { SYNC_STATUSES } from "@accord/contracts/sync/pipelines";
import { describe, expect, test } from "vitest";
import { pipelineHealth, UNTROUBLED } from "./health.ts";
import { isAllowed, type MenuSubject, rowMenu } from "./menu.ts";
import { activity, readSyncStatus, resyncState, stateTags } from "./state.ts";
import {
  entityStatus,
  graphStatus,
  graphStatusOfNode,
  isEditable,
  pipelineStatus,
  statusTags,
  effectiveStatus,
} from "./status.ts";
import { filterRows, summarise } from "./summary.ts";

const all = () => true;
const row = (change: Partial<MenuSubject> = {}): MenuSubject => ({
  pipelineStatus: "PUBLISHED",
  syncStatus: "RUNNING",
  settings: { realtimePipeline: false },
  resyncDetails: null,
  ...change,
});
const menu = (change: Partial<MenuSubject>, can: () => boolean = all) =>
  rowMenu(row(change), can).map((item) => item.action);

describe("statuses", () => {
  test("[SYN-089] unmapped is shown alone; a published pipeline with a draft shows both tags", () => {
    const tags = (published: boolean, draft: boolean) => statusTags(pipelineStatus({ published, draft }));
    expect(tags(false, false)).toEqual(["Unmapped"]);
    expect(tags(false, true)).toEqual(["Draft"]);
    expect(tags(true, false)).toEqual(["Published"]);
    expect(tags(true, true)).toEqual(["Published", "Draft"]);
  });

  test("[SYN-090] an entity without pipeline is unpublished", () => {
    expect(entityStatus("UNMAPPED")).toBe("UNPUBLISHED");
    expect(entityStatus("DRAFT")).toBe("DRAFT");
    expect(entityStatus("PUBLISHED_WITH_DRAFT")).toBe("PUBLISHED_WITH_DRAFT");
  });

  test("[SYN-091] draft and new graphs count as new, all others as approved", () => {
    expect((["NEW", "DRAFT", "APPROVED", "APPROVED_WITH_DRAFT"] as const).map(effectiveStatus)).toEqual([
      "new",
      "new",
      "approved",
      "approved",
    ]);
    expect(graphStatus("published", { published: true, draft: false })).toBe("APPROVED");
  });

  test("[SYN-077] only draft and new graphs are editable", () => {
    expect(isEditable(graphStatus("draft", { published: true, draft: true }))).toBe(true);
    expect(isEditable(graphStatus("draft", { published: false, draft: true }))).toBe(true);
    expect(isEditable(graphStatus("published", { published: true, draft: true }))).toBe(false);
  });

  test("[SYN-092] server node statuses map to graph statuses", () => {
    const read = ["new", "approved", "published", "published-with-draft", "PUBLISHED_WITH_DRAFT", "draft", "odd", null];
    expect(read.map(graphStatusOfNode)).toEqual(["new", "approved", "approved", "draft", "draft", "new", "new", "new"]);
  });
});

describe("states", () => {
  const tags = (syncStatus: (typeof SYNC_STATUSES)[number], warningCount = 0) =>
    stateTags({ syncStatus, health: { severity: warningCount > 0 ? "warning" : "ok" }, resyncDetails: null });

  test("[SYN-093] each sync status has its tag, with a warning beside it", () => {
    expect(tags("RUNNING")).toEqual(["Running"]);
    expect(tags("QUEUED")).toEqual(["Queued"]);
    expect(tags("RESYNCING")).toEqual(["Resyncing"]);
    expect(tags("PAUSING")).toEqual(["Pausing"]);
    expect(tags("PAUSED", 2)).toEqual(["Paused", "Warning"]);
    expect(tags("ERROR", 2)).toEqual(["Error"]);
    expect(tags("RETRYING", 1), "a system of it fails").toEqual(["Running", "Warning"]);
    expect(tags("UNPUBLISHED", 2)).toEqual([]);
  });

  test("[SYN-094] a running pipeline that cancels its resync is shown as resyncing", () => {
    const resyncDetails = { status: "CANCEL_REQUESTED", syncStatus: "RESYNCING" } as const;
    expect(stateTags({ syncStatus: "RUNNING", health: { severity: "ok" }, resyncDetails })).toEqual(["Resyncing"]);
  });

  test("[SYN-095] an unknown sync status is unpublished, and undefined while loading", () => {
    expect(readSyncStatus(undefined)).toBeUndefined();
    expect(readSyncStatus("WHATEVER")).toBe("UNPUBLISHED");
    expect(SYNC_STATUSES.map(readSyncStatus)).toEqual([...SYNC_STATUSES]);
  });

  test("[SYN-096] new and processing resyncs run, a requested cancel is cancelling", () => {
    expect(resyncState({ status: "NEW" })).toBe("resyncing");
    expect(resyncState({ status: "PROCESSING" })).toBe("resyncing");
    expect(resyncState({ status: "CANCEL_REQUESTED" })).toBe("cancelling");
    expect(resyncState(null)).toBeNull();
  });

  test("[SYN-097] what the activity column says", () => {
    const at = { isPublished: true, isPaused: false, isRealtime: false, current: null };
    expect(activity({ ...at, isPublished: false })).toEqual({ key: "notPublished" });
    expect(activity({ ...at, isPaused: true, isRealtime: true })).toEqual({ key: "idle" });
    expect(activity({ ...at, isRealtime: true })).toEqual({ key: "acceptingRequests" });
    expect(activity({ ...at, current: "Reading" })).toEqual({ text: "Reading" });
    expect(activity(at)).toEqual({ key: "waiting" });
  });
});

describe("the row menu", () => {
  test("[SYN-098] published without draft", () => {
    const rest = [
      "goToPipeline",
      "createDraft",
      "manageFieldMap",
      "resync",
      "clonePublished",
      "deletePublished",
      "deleteEntity",
    ];
    expect(menu({})).toEqual(["pause", ...rest]);
    expect(menu({ syncStatus: "PAUSED" })).toEqual(["resume", ...rest]);
    expect(menu({ syncStatus: "ERROR" })[0]).toBe("resume");
    expect(menu({ resyncDetails: { status: "PROCESSING" } })).toContain("cancelResync");
  });

  test("[SYN-099] published with a draft", () => {
    expect(menu({ pipelineStatus: "PUBLISHED_WITH_DRAFT" })).toEqual([
      "publish",
      "pause",
      "goToPipeline",
      "goToDraft",
      "resync",
      "manageFieldMap",
      "cloneDraft",
      "clonePublished",
      "deleteDraft",
      "deletePublished",
      "deleteEntity",
    ]);
  });

  test("[SYN-100] draft only, and unmapped", () => {
    expect(menu({ pipelineStatus: "DRAFT", syncStatus: "UNPUBLISHED" })).toEqual([
      "publish",
      "goToDraft",
      "manageFieldMap",
      "cloneDraft",
      "deleteDraft",
      "deleteEntity",
    ]);
    expect(menu({ pipelineStatus: "UNMAPPED", syncStatus: "UNPUBLISHED" })).toEqual([
      "createDraft",
      "manageFieldMap",
      "deleteEntity",
    ]);
  });

  test("[SYN-101] realtime pipelines have no pause, resume and resync", () => {
    const items = menu({ settings: { realtimePipeline: true } });
    for (const action of ["pause", "resume", "resync", "cancelResync"]) expect(items).not.toContain(action);
  });

  test("[SYN-102] resume waits while pausing; a cancelling resync can't be cancelled again", () => {
    expect(rowMenu(row({ syncStatus: "PAUSING" }), all)[0]).toEqual({ action: "resume", disabled: "pausing" });
    const cancelling = rowMenu(row({ resyncDetails: { status: "CANCEL_REQUESTED" } }), all);
    expect(cancelling).toContainEqual({ action: "cancelingResync", disabled: "cancelling" });
  });

  test("[SYN-103] an entity can be deleted only while unmapped", () => {
    for (const pipelineStatus of ["DRAFT", "PUBLISHED", "PUBLISHED_WITH_DRAFT"] as const)
      expect(isAllowed("deleteEntity", row({ pipelineStatus }))).toBe(false);
    expect(isAllowed("deleteEntity", row({ pipelineStatus: "UNMAPPED" }))).toBe(true);
  });

  test("[SYN-128] who may only read still sees where the graphs are", () => {
    expect(menu({ pipelineStatus: "PUBLISHED_WITH_DRAFT" }, () => false)).toEqual([
      "goToPipeline",
      "goToDraft",
      "manageFieldMap",
    ]);
  });
});

describe("the table", () => {
  const table = [
    {
      name: "Account",
      apiName: "Account",
      pipelineStatus: "PUBLISHED",
      pipelineStateTagData: ["Running"],
      pipelineStatusTagData: ["Published"],
      sources: [{ connectorId: "c1", entityId: "company" }],
      destinations: [],
    },
    {
      name: "Contact person",
      apiName: "Contact",
      pipelineStatus: "PUBLISHED_WITH_DRAFT",
      pipelineStateTagData: ["Paused", "Warning"],
      pipelineStatusTagData: ["Published", "Draft"],
      sources: [],
      destinations: [{ connectorId: "c2", entityId: "person" }],
    },
    {
      name: "Lead",
      apiName: "Lead",
      pipelineStatus: "UNMAPPED",
      pipelineStateTagData: [],
      pipelineStatusTagData: ["Unmapped"],
      sources: [],
      destinations: [],
    },
  ] as const;
  const rows = table.map((one) => ({
    ...one,
    health: one.name === "Contact person" ? pipelineHealth({ ...UNTROUBLED, status: "PAUSED" }) : null,
    pipelineStateTagData: [...one.pipelineStateTagData],
    pipelineStatusTagData: [...one.pipelineStatusTagData],
  }));
  const none = { states: [], statuses: [], sources: [], destinations: [], agreement: [] };

  test("[SYN-027] counts are zero by default, entities without a pipeline are none, and each pipeline counts once among its states", () => {
    expect(summarise([])).toEqual({ total: 0, draft: 0, resyncing: 0, running: 0, paused: 0, error: 0, warning: 0 });
    expect(summarise(rows)).toEqual({ total: 2, draft: 1, resyncing: 0, running: 1, paused: 1, error: 0, warning: 1 });
  });

  test("[SYN-028] panel filters combine with OR, search with AND; case does not matter", () => {
    const names = (filter: Parameters<typeof filterRows>[1]) => filterRows(rows, filter).map((one) => one.name);
    expect(names(none)).toHaveLength(3);
    expect(names({ ...none, states: ["Paused"], sources: ["company"] })).toEqual(["Account", "Contact person"]);
    expect(names({ ...none, states: ["Paused"], sources: ["c1:company"], search: "ACC" })).toEqual(["Account"]);
    expect(names({ ...none, search: "contact" })).toEqual(["Contact person"]);
    expect(names({ ...none, agreement: ["apart"] })).toEqual(["Contact person"]);
    expect(names({ ...none, agreement: ["attention"] })).toEqual([]);
  });
});
