/** Words of what a cycle says of records, fields and systems: warnings, refusals and why a record is in quarantine. */
export const runTexts = {
  notAnswered: "The question was not answered.",
  tooManyCopies: "The record's way divides into more than {{limit}} ways. Bring branches together sooner.",
  tooManyTurns: "The loops would take more than {{limit}} turns for one record. Shorten their lists first.",
  answerTooDeep: "The answer nests deeper than {{limit}} levels.",
  editedAtOnce:
    "Two systems changed the same field at once: what was processed last was taken. The other value is in the record's history.",
  editedAtOnceLatest:
    "Two systems changed the same field at once: the later change was taken. The other value is in the record's history.",
  sampleReplaced: "{{value}} replaced {{replaced}} in record {{record}}",
  valuesLeftOut: "Values that the field {{field}} can't hold were left out.",
  clearingKeptOut:
    "The field {{field}} was cleared in this system, but its value stays in the core and goes back to where it is written: the field's setting Empty values never overwrite is on. Turn it off to clear values here, or clear the field in the core.",
  sampleIn: "{{value}} in record {{record}}",
  sampleRecord: "record {{record}}",
  keptOverFirstReading:
    "Since this pipeline follows this system, another value was entered elsewhere than the one that it held when it was first read: the entered one was kept. The other value is in the record's history.",
  keptOverJoined:
    "This system joined a running pipeline and doesn't tell when its values were set: where a record held another one already, that one was kept. The system's own value is in the record's history.",
  keptOverHeldBack:
    "A filter of this source held the record back, and another value was entered elsewhere meanwhile: that one was kept. The system's own value is in the record's history.",
  sampleKept: "{{kept}} was kept, not {{other}} of record {{record}}",
  deletionFirst: "Changes of records that had been deleted elsewhere were not taken: deletion goes first.",
  severalMatches: "Several records match; the oldest was taken.",
  tooManyDuplicates: "More duplicates than allowed were found, so none of them was merged.",
  createOnly:
    "{{field}} is only written when a record is created there: the record keeps its old value. Change it there, or take the field out of the mapping.",
  alreadyLinked: "The matching record of the destination is already tied to another record here.",
  ambiguousThere:
    "Several records, here or in the destination, have this key but for upper and lower case: none of them was written. Give those that belong together the same key, and try again.",
  missingThere:
    "The record no longer exists in the destination. Delete it here too, or let the destination create deleted records again, and try again.",
  gaveUp: "Writing this record was begun several times and never ended.",
  noAnswer: "The destination gave no answer for this record.",
  valuesNotWritten: "Values that the field {{field}} can't take there were not written.",
  mostQuarantined: "Most records of this cycle were put into quarantine, so the pipeline stopped.",
  charactersReplaced: "Characters of {{field}} that can't be stored were replaced by “\ufffd”.",
  keptChanging: "Records of this page kept changing while it was processed.",
  fieldWaitedFor:
    "The system does not have {{field}} at the moment. What is to be written there is written once it is back; refresh its schema, or change the mapping.",
  fieldMissing: "The system no longer tells {{field}}. Refresh its schema, or change the mapping of {{coreField}}.",
  fieldReturned:
    "This field was missing in the system for a while. Nothing says that the value it shows was entered since: the other one was kept.",
  waitingForHeldBack:
    "Changes for these records wait: their copies were changed in this system, and a filter of its source keeps them from being read. They are written once the copies get through the filter.",
  sampleShown: "{{shown}} is shown beside {{written}} in record {{record}}",
  respelled: "The system stores these values in a spelling of its own. It keeps it, and nobody else is told of it.",
  alternates: "Each write of this field was followed by another value. The system keeps its own, and both differ.",
  unconfirmed:
    "What the system shows may be its own way of storing an older value, or an edit. The newer value was kept.",
  idTooLong: "Its id has more than {{limit}} characters.",
  idNotStorable: "Its id holds a character that can't be stored.",
  recordTooLarge: "It holds more than {{limit}} characters.",
  fieldTooDeep: "{{field}} is nested deeper than {{limit}} levels.",
  answeredWithAnothers:
    "The destination answered the creation with its record {{record}}, which is already tied to another record here. Merge the two, or change the field by which the destination takes them for one, and try again.",
} as const;
