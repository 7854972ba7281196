/** Problems of a node that its form shows at the inputs they are about, and those that have none on screen. */
import type { InputDefinition } from "@accord/contracts/config/inputs";
import type { GraphNode, NodeConfiguration } from "@accord/contracts/sync/graph";
import type { PipelineProblem } from "@accord/contracts/sync/pipelines";
import { effectiveValues, sectionsOf } from "../../../../../shared/config-form/config-form.model.ts";

export type InputProblems = Readonly<Record<string, string>>;

/** Whether a node is configured by the form that is generated from its function's inputs. */
export const hasFunctionForm = ({ nodeType, apiName }: GraphNode): boolean =>
  (nodeType === "FUNCTION" || nodeType === "ACTION") && apiName !== "customAction";

export const shownInputs = (inputs: readonly InputDefinition[], configuration: NodeConfiguration): InputDefinition[] =>
  sectionsOf(inputs, effectiveValues(inputs, configuration)).flatMap((section) => section.inputs);

/** The first problem of each input, by its name, without the node's title in front, and all others as they were. */
export function problemsByInput(
  title: string,
  problems: readonly PipelineProblem[],
  shown: readonly Pick<InputDefinition, "name">[],
): { atInputs: InputProblems; others: PipelineProblem[] } {
  const atInputs: Record<string, string> = {};
  const others: PipelineProblem[] = [];
  for (const problem of problems) {
    const input = shown.find(({ name }) => name === problem.targetId)?.name;
    if (input === undefined || Object.hasOwn(atInputs, input)) others.push(problem);
    else atInputs[input] = withoutTitle(title, problem.errorMessage);
  }
  return { atInputs, others };
}

const withoutTitle = (title: string, message: string): string =>
  message.startsWith(`${title}: `) ? message.slice(title.length + 2) : message;
