/** The list's condition as chips. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Predicate } from "@accord/contracts/data/predicate";
import type { FilterChip } from "@accord/ui";
import { describe } from "../../../shared/predicate-builder/describe.ts";
import { asGroup } from "../../../shared/predicate-builder/predicate.model.ts";
import { filterScope } from "./filter-panel.tsx";

/** One chip for each top-level condition; conditions joined by "or" stand together in one. */
export function chipsOf(
  where: Predicate,
  entity: CoreEntity,
  onChange: (rest: Predicate | null) => void,
): FilterChip[] {
  const scope = filterScope(entity);
  const group = asGroup(where);
  if (group.combinator === "or" || group.children.length === 0)
    return [{ id: "all", label: describe(group, scope), onRemove: () => onChange(null) }];
  return group.children.map((child, at) => ({
    id: String(at),
    label: describe(child, scope),
    onRemove: () => {
      const children = group.children.toSpliced(at, 1);
      onChange(children.length > 0 ? { ...group, children } : null);
    },
  }));
}
