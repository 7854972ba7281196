/** Why calls about pipelines, their records and their cycles are refused, and why a pipeline can't run. */
export const syncRefusals = {
  notMerged: "Nothing was merged here, or it was taken back already.",
  mergedOn: "The record that won was merged into another one since. Take that merge back first.",
  notReported: "These duplicates were merged or dismissed already.",
  recordsGone: "One of these records was deleted or merged into another one since.",
  noMergeRules: "This pipeline has no merge rules any more. Set them at its core node and publish it.",
  namesTheKeptOne: "must not name the record that is kept",
  codeTooSlow:
    "It was not checked, since the code of this pipeline takes more than {{seconds}} s to read. Make what runs at the beginning of the programs faster.",
  keepsNoList: "{{system}} sends messages and keeps no list of records.",
  cannotList: "{{system}} can't list its records.",
  noCursor: "is no cursor of this list",
  columnSystemValue: "Value in the system",
  columnCoreValue: "Value by the core",
  endedUnexpectedly: "An unexpected error ended it. The server's log says more.",
  manyGone: "{{missing}} of {{known}} known records are no longer listed by {{source}}. Nothing was deleted.",
  manyGoneDetail:
    "So many at once look like a mistake or a lost permission. If they are really gone, raise the limit in the source's settings and run the pipeline.",
  notAskedForExplanation: "It asks something outside, which is not done for an explanation.",
  waitingToTryAgain: "Waiting to try again",
  inTheFuture: "must not be in the future",
  noSuchSource: "names no source of this pipeline: {{source}}",
  onlyAll: 'must be "all" for {{source}}: it has no watermark field that says when a record changed',
  cycleEnds: "The cycle ends here.",
  waitingForSystem: "Waiting until {{system}} takes calls again",
  connectorDeleted: "A connector of this pipeline was deleted.",
  entityGone: "{{system}} no longer has {{entity}}. Refresh its schema or change the pipeline.",
  reconciliationOver: "This reconciliation has ended already. Start another one to compare again.",
  reconciliationUnfinished:
    "Only a reconciliation that is finished can be repaired. Wait until it is, or start another one.",
  noResync: "No resync of this pipeline is running.",
  isRealtime:
    "A realtime pipeline answers each post as it comes: it can't be paused, resumed or read again. Delete its published version to stop it.",
  notPublished: "The pipeline or its entity is no longer published.",
} as const;
