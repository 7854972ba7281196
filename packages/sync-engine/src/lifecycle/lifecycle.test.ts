/** Tags, activity and row menus of pipelines in every state. */
import { describe, expect, test } from "vitest";
import { isAllowed, rowMenu, type MenuState } from "./menu.ts";
import {
  activityText,
  isEditable,
  nodeGraphStatus,
  pipelineStatus,
  stateTags,
  statusTags,
  toSyncStatus,
} from "./status.ts";

const calm = { syncStatus: "RUNNING", resync: null, warningCount: 0 } as const;
const state = (change: Partial<MenuState> = {}): MenuState => ({
  pipelineStatus: "PUBLISHED",
  syncStatus: "RUNNING",
  resync: null,
  realtime: false,
  ...change,
});
const actions = (change: Partial<MenuState> = {}, may = true) =>
  rowMenu(state(change), () => may).map((item) => item.action);

describe("tags", () => {
  test("[SYN-089] Unmapped stands alone; published with a draft shows both tags", () => {
    expect(statusTags(pipelineStatus({ draft: false, published: false }))).toEqual(["Unmapped"]);
    expect(statusTags(pipelineStatus({ draft: true, published: false }))).toEqual(["Draft"]);
    expect(statusTags(pipelineStatus({ draft: false, published: true }))).toEqual(["Published"]);
    expect(statusTags(pipelineStatus({ draft: true, published: true }))).toEqual(["Draft", "Published"]);
  });

  test("[SYN-092] node statuses map to graph statuses", () => {
    expect(["new", "approved", "published", "published-with-draft", "draft", "anything"].map(nodeGraphStatus)).toEqual([
      "new",
      "approved",
      "approved",
      "draft",
      "new",
      "new",
    ]);
  });

  test("the opened version decides what is editable", () => {
    expect([isEditable("draft"), isEditable("published")]).toEqual([true, false]);
  });

  test("each state has its tag; warnings stand beside it, not beside an error", () => {
    expect(stateTags(calm)).toEqual(["Running"]);
    expect(stateTags({ ...calm, syncStatus: "UNPUBLISHED" })).toEqual([]);
    expect(stateTags({ ...calm, warningCount: 2 })).toEqual(["Running", "Warning"]);
    expect(stateTags({ ...calm, syncStatus: "ERROR", warningCount: 2 })).toEqual(["Error"]);
    expect(stateTags({ ...calm, resync: "NEW" })).toEqual(["Resyncing"]);
  });

  test("[SYN-094] a resync being cancelled is shown as resyncing until it has ended", () => {
    expect(stateTags({ ...calm, syncStatus: "RESYNCING", resync: "CANCEL_REQUESTED" })).toEqual(["Resyncing"]);
    expect(stateTags({ ...calm, resync: "CANCEL_REQUESTED" })).toEqual(["Running"]);
  });

  test("an unknown sync status counts as unpublished", () => {
    expect([toSyncStatus("stalled"), toSyncStatus("whatever")]).toEqual(["STALLED", "UNPUBLISHED"]);
  });

  test("[SYN-097] activity text: not published, idle, accepting requests, current activity, waiting", () => {
    const words = { notPublished: "not published", idle: "idle", accepting: "accepting", waiting: "waiting" };
    const at = { published: true, syncStatus: "RUNNING", realtime: false, current: null } as const;
    expect(activityText({ ...at, published: false }, words)).toBe("not published");
    expect(activityText({ ...at, syncStatus: "PAUSED", current: "Reading" }, words)).toBe("idle");
    expect(activityText({ ...at, realtime: true }, words)).toBe("accepting");
    expect(activityText({ ...at, current: "Reading from CRM" }, words)).toBe("Reading from CRM");
    expect(activityText(at, words)).toBe("waiting");
  });
});

describe("row menus", () => {
  test("[SYN-098] published without a draft", () => {
    const rest = [
      "goToPipeline",
      "createDraft",
      "manageFieldMap",
      "resync",
      "clonePublished",
      "deletePublished",
      "deleteEntity",
    ];
    expect(actions()).toEqual(["pause", ...rest]);
    expect(actions({ syncStatus: "PAUSED" })).toEqual(["resume", ...rest]);
    expect(actions({ syncStatus: "ERROR" })).toEqual(["resume", ...rest]);
    expect(actions({ resync: "PROCESSING", syncStatus: "RESYNCING" })).toContain("cancelResync");
  });

  test("[SYN-099] published with a draft", () => {
    expect(actions({ pipelineStatus: "PUBLISHED_WITH_DRAFT" })).toEqual([
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
    expect(actions({ pipelineStatus: "DRAFT" })).toEqual([
      "publish",
      "goToDraft",
      "manageFieldMap",
      "cloneDraft",
      "deleteDraft",
      "deleteEntity",
    ]);
    expect(actions({ pipelineStatus: "UNMAPPED" })).toEqual(["createDraft", "manageFieldMap", "deleteEntity"]);
  });

  test("[SYN-101] realtime pipelines can't be paused, resumed or resynced", () => {
    const shown = actions({ realtime: true });
    for (const hidden of ["pause", "resume", "resync", "cancelResync"]) expect(shown).not.toContain(hidden);
  });

  test("[SYN-102] no resume while pausing, no second cancel while cancelling", () => {
    expect(rowMenu(state({ syncStatus: "PAUSING" }), () => true)[0]).toEqual({
      action: "resume",
      disabled: "resumeWhilePausing",
    });
    const cancelling = rowMenu(state({ syncStatus: "RESYNCING", resync: "CANCEL_REQUESTED" }), () => true);
    expect(cancelling).toContainEqual({ action: "cancelResync", disabled: "cancelingResync" });
    expect(isAllowed(state({ syncStatus: "PAUSING" }), "resume")).toBe(false);
  });

  test("[SYN-103] an entity is deleted only when unmapped", () => {
    const deletable = (status: MenuState["pipelineStatus"]) =>
      isAllowed(state({ pipelineStatus: status }), "deleteEntity");
    expect((["UNMAPPED", "DRAFT", "PUBLISHED", "PUBLISHED_WITH_DRAFT"] as const).map(deletable)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("[SYN-128] without the permission to write, only looking remains", () => {
    expect(actions({ pipelineStatus: "PUBLISHED_WITH_DRAFT" }, false)).toEqual([
      "goToPipeline",
      "goToDraft",
      "manageFieldMap",
    ]);
  });
});
