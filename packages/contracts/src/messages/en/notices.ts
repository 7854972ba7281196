/** Words of notifications that the product itself writes. */
export const notices = {
  pipelineStopped: "{{name}} stopped with an error",
  pipelineProbes: "It is tried again every 15 minutes and goes on by itself once this works.",
  pipelineGoesOn: "{{name}} goes on: its systems answer again",
  resyncDone: "{{name}} has been read again",
  resyncCancelled: "The resync of {{name}} was cancelled",
  tooManyDuplicates: "{{name}}: more duplicates than allowed",
  tooManyDuplicatesDetail: "None of them was merged. Review what counts as a duplicate, or allow more of them.",
} as const;
