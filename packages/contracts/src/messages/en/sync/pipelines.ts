/** Words that the server says about pipelines. */
export const pipelines = {
  deletedConnector: "Deleted synapse",
  activity: {
    notPublished: "Not published",
    idle: "Idle",
    acceptingRequests: "Active, accepting requests",
    waiting: "Waiting",
  },
  readOnly: {
    published: "This is the published version. Create a draft to change it.",
    permission: "You may look at pipelines, but not change them.",
    testing: "A test of this pipeline is running. It can be changed again once the test has ended.",
  },
  fragmentElsewhere: "the fragment belongs to {{instance}}, which shares it. Hide it here instead.",
  fragmentNode: "{{label}} can't be part of a fragment: only functions and actions can, and no loops",
  fragmentEdge: "an edge of the fragment has no node at one end",
  otherInstance: "another instance",
  copyOf: "{{name}} copy",
  draftMissing: "Draft",
  ofField: "{{field}} (field pipeline): {{message}}",
  publishedMissing: "Published version",
  realtimePublished: "the pipeline is published. Delete the published version first.",
  noSuchField: "{{field}} is no field of this entity",
  dependsOnItself: "can't depend on itself",
  dependsTwice: "{{field}} depends on another field already",
  idFieldInUse:
    "can't be changed while pipelines use it ({{pipelines}}): their records are known by {{idField}}, and values of another field would be taken for other records.",
  idFieldChanged:
    "The id field of {{entity}} in {{connector}} is {{now}}, but its records are known by {{known}}. Choose {{known}} as its id field again; nothing is read or written until then.",
  recordsQuarantined: "Records are in quarantine",
  valuesRefused: "Values that the field {{field}} can't hold were left out.",
  valuesUnfit: "Values that the field {{field}} can't take there were not written.",
  inRecord: "record {{record}}",
  nothingToPublish: "there is no draft to publish",
} as const;
