/** Words of attach and merge rules that could not be judged against all records, and of merge rules by code. */
export const matching = {
  tooManyCandidates:
    "More than {{limit}} records share the value by which this rule finds them, so it can't be judged whether one of them is this record. Have the rule compare another field by “equals” as well, or keep it from comparing such values.",
  matchesNotCompared:
    "More than {{limit}} records share the value by which this rule finds them. The oldest that matches was taken; whether younger ones match was not judged.",
  duplicatesNotCompared:
    "More than {{limit}} records share the value by which the merge rule finds them, so not all of them were compared, and this record was not merged. Have the rule compare another field by “equals” as well, or skip such records.",
  notMergedByCode:
    "Duplicates were found and left as they are, since the code of the merge rules did not work: {{reason}}",
  winnerUnknown: "it returned the id of none of them. Return the accordId of the record that stays.",
  fieldUnknown: "there is no field “{{field}}”.",
} as const;
