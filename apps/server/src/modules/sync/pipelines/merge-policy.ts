/** What can't be stored as merge policy: fields that the entity has not, and pairs of picklists that depend on no one. */
import type { FieldProblem } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import { fill } from "@accord/contracts/messages/fill";
import type { MergeConfig } from "@accord/contracts/sync/pipelines";

export function mergePolicyProblems({ fields }: Pick<CoreEntity, "fields">, policy: MergeConfig): FieldProblem[] {
  const known = new Set(fields.map(({ apiName }) => apiName));
  const dependents = policy.dependentPicklists.map(({ dependent }) => dependent);
  const unknown = (field: string, path: string): FieldProblem[] =>
    known.has(field) ? [] : [{ path, message: fill(words.noSuchField, { field }) }];
  return [
    ...policy.retainFields.flatMap((field, index) => unknown(field, `mergeConfig.retainFields.${index}`)),
    ...policy.dependentPicklists.flatMap(({ controlling, dependent }, index) => {
      const path = `mergeConfig.dependentPicklists.${index}`;
      return [
        ...unknown(controlling, `${path}.controlling`),
        ...unknown(dependent, `${path}.dependent`),
        ...(controlling === dependent ? [{ path: `${path}.dependent`, message: words.dependsOnItself }] : []),
        ...(dependents.indexOf(dependent) < index
          ? [{ path: `${path}.dependent`, message: fill(words.dependsTwice, { field: dependent }) }]
          : []),
      ];
    }),
  ];
}
