/** Remove field. */
import { type FunctionDefinition, input } from "../define.ts";
import { FIELD_INPUT, fieldFaults } from "../kinds/field-setting.ts";
import { dropField } from "../flow.ts";

export const removeField: FunctionDefinition = {
  name: "removeField",
  label: "Remove field",
  family: "record",
  summary: "Takes a field out of the record, so that this path says nothing about it and it goes no further.",
  levels: ["entity"],
  sourceSideOnly: false,
  inputs: [input(FIELD_INPUT)],
  edgeTypes: null,
  output: null,
  check: (configuration, fields) => fieldFaults(configuration["field"], fields),
  compile: (configuration) => {
    const field = String(configuration["field"] ?? "");
    return (page) => {
      for (const record of page) if (!record.failure) dropField(record, field);
      return "default";
    };
  },
  examples: [
    {
      says: "the field is gone, not blank",
      config: { field: "Name" },
      record: { values: { Name: "x", size: 1 } },
      values: { size: 1 },
    },
    { says: "a list too", config: { field: "tags" }, record: { values: { tags: ["a"] } }, values: {} },
    {
      says: "what is not there stays away",
      config: { field: "Name" },
      record: { values: { size: 1 } },
      values: { size: 1 },
    },
    {
      says: "whatever its value is, a blank too",
      config: { field: "size" },
      record: { values: { size: null, Name: "x" } },
      values: { Name: "x" },
    },
  ],
};
