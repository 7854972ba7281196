/** Nodes that wait for answers and act, put onto the paths of the scenario's pipeline. */
import { TAG_FIELD } from "./scenario-fields.ts";
import type { ActionOptions } from "./scenario.ts";

/** Where the answer of an action is kept; not told to anybody. */
const SAID_FIELD = "said";
export const ACTION_FIELDS: readonly string[] = [TAG_FIELD, SAID_FIELD];

export const REGISTRY = { connectorId: "registry", entity: "person" } as const;
const STATE = "{{previous.values.name}} {{previous.values.phone}} {{previous.values.note}}";

interface Node {
  id: string;
  label: string;
  nodeType: string;
  apiName: string;
  configuration: object;
}

const action = (id: string, { isRepeatable }: ActionOptions): Node => ({
  id,
  label: id,
  nodeType: "ACTION",
  apiName: "httpRequest",
  configuration: { url: "https://receiver.example/", body: STATE, retries: 0, repeatable: isRepeatable },
});

const setValue = (id: string, field: string, value: string): Node => ({
  id,
  label: id,
  nodeType: "FUNCTION",
  apiName: "setValue",
  configuration: { field, value },
});

/** From the attach rule of a source to the core: looks somebody up, has something done and uses the answer. */
export function onPath(name: string, actionOptions: ActionOptions): Node[] {
  const find: Node = {
    id: `find-${name}`,
    label: `find-${name}`,
    nodeType: "FUNCTION",
    apiName: "lookupExternalRecord",
    configuration: {
      connectorId: REGISTRY.connectorId,
      entity: REGISTRY.entity,
      field: "email",
      value: "{{previous.values.email}}",
    },
  };
  return [
    find,
    setValue(`tag-${name}`, TAG_FIELD, `{{Value From find-${name}.tag}}`),
    action(`order-${name}`, actionOptions),
    setValue(`said-${name}`, SAID_FIELD, `{{Action Result From order-${name}.said}}`),
  ];
}

/** Beside the path of a source: done once its page is safe. */
export const onSidePath = (name: string, actionOptions: ActionOptions): Node => action(`note-${name}`, actionOptions);

/** Behind the core, on the way to every destination. */
export const onSinkPath = (actionOptions: ActionOptions): Node => action("post", actionOptions);

/** Behind the core, leading to no destination. */
export const onDeadEnd = (actionOptions: ActionOptions): Node => action("tell", actionOptions);
