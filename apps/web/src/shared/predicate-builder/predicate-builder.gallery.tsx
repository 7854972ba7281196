/** Conditions: empty, nested, with a problem, in a narrow panel. */
import type { PredicateGroup } from "@accord/contracts/data/predicate";
import { useState } from "react";
import { PredicateBuilder } from "./predicate-builder.tsx";
import { EMPTY_GROUP, type BuilderScope } from "./predicate.model.ts";

const SCOPE: BuilderScope = {
  fields: [
    { apiName: "Name", displayName: "Name", dataType: "string" },
    { apiName: "Revenue", displayName: "Revenue", dataType: "decimal" },
    { apiName: "Since", displayName: "Customer since", dataType: "date" },
    { apiName: "Active", displayName: "Active", dataType: "boolean" },
    {
      apiName: "Country",
      displayName: "Country",
      dataType: "picklist",
      picklist: [
        { id: "AT", label: "Austria" },
        { id: "IT", label: "Italy" },
      ],
    },
  ],
};

const NESTED: PredicateGroup = {
  type: "group",
  combinator: "and",
  children: [
    {
      type: "condition",
      left: { kind: "field", field: "Country" },
      operator: "inList",
      right: [
        { kind: "literal", value: "AT" },
        { kind: "literal", value: "IT" },
      ],
    },
    {
      type: "group",
      combinator: "or",
      children: [
        {
          type: "condition",
          left: { kind: "field", field: "Revenue" },
          operator: "between",
          right: [
            { kind: "literal", value: 1000 },
            { kind: "literal", value: 5000 },
          ],
        },
        {
          type: "condition",
          left: { kind: "field", field: "Since" },
          operator: "lastDays",
          right: [{ kind: "literal", value: 30 }],
        },
      ],
    },
  ],
};

function Example({ start, width }: { start: PredicateGroup; width?: number }) {
  const [value, setValue] = useState(start);
  return (
    <div style={{ width: width ?? "auto", maxWidth: "100%" }}>
      <PredicateBuilder
        value={value}
        onChange={setValue}
        scope={SCOPE}
        problems={{ "children.0": "Say what to compare with." }}
      />
    </div>
  );
}

export const Nested = () => <Example start={NESTED} />;
export const InAPanel = () => <Example start={NESTED} width={340} />;
export const EmptyGroup = () => <Example start={EMPTY_GROUP} />;
