/** Clear value. */
import { type FunctionDefinition, input } from "../define.ts";
import { FIELD_INPUT, fieldFaults } from "../kinds/field-setting.ts";
import { setField } from "../flow.ts";

export const clearValue: FunctionDefinition = {
  name: "clearValue",
  label: "Clear value",
  family: "record",
  summary: "Makes a field of the record blank.",
  levels: ["entity"],
  sourceSideOnly: false,
  inputs: [input(FIELD_INPUT)],
  edgeTypes: null,
  output: null,
  check: (configuration, fields) => fieldFaults(configuration["field"], fields),
  compile: (configuration) => {
    const field = String(configuration["field"] ?? "");
    return (page) => {
      for (const record of page) if (!record.failure) setField(record, field, null);
      return "default";
    };
  },
  examples: [
    {
      says: "the field becomes blank",
      config: { field: "Name" },
      record: { values: { Name: "x", size: 1 } },
      values: { Name: null, size: 1 },
    },
    { says: "a list too", config: { field: "tags" }, record: { values: { tags: ["a"] } }, values: { tags: null } },
    {
      says: "a field that was not there is told as blank",
      config: { field: "Name" },
      record: { values: {} },
      values: { Name: null },
    },
    {
      says: "whatever the type of its value",
      config: { field: "size" },
      record: { values: { size: "many" } },
      values: { size: null },
    },
  ],
};
