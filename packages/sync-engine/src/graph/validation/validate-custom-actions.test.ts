/** Nodes that perform custom actions: what keeps them from being published. */
import { ActionVariable } from "@accord/contracts/sync/actions";
import { FieldSchema } from "@accord/contracts/data/schema";
import { describe, expect, test } from "vitest";
import { catalogue, core, CRM, graphOf, source } from "../graph.fixtures.ts";
import { validateFieldGraph } from "./validate-fields.ts";
import { isPublishable, validateGraph } from "./validate.ts";

const ACTION = "a".repeat(24);
const variable = (name: string, change: object = {}) => ActionVariable.parse({ name, ...change });
const notifying = (configuration: object) =>
  graphOf(
    [
      source("crm"),
      { id: "notify", label: "Notify", nodeType: "ACTION", apiName: "customAction", configuration },
      core(),
    ],
    ["crm>notify", "notify>core"],
  );
const facts = { label: "Custom action", levels: ["entity", "field"] as const, sourceSideOnly: false, inputs: [] };
const world = (variables: ActionVariable[]): typeof catalogue => ({
  ...catalogue,
  functionFacts: (name) =>
    name === "customAction" ? { ...facts, edgeTypes: ["default"], check: () => [] } : catalogue.functionFacts(name),
  customActions: new Map([[ACTION, { displayName: "Notify billing", variables }]]),
});
const found = (configuration: object, variables: ActionVariable[] = []) =>
  validateGraph(notifying(configuration), world(variables)).map(({ errorMessage }) => errorMessage);

describe("custom actions in a draft", () => {
  test("a node whose action was deleted is an error that says to choose another one", () => {
    const [problem, ...others] = validateGraph(notifying({ actionId: "f".repeat(24) }), world([]));
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ severity: "error", nodeId: "notify", targetId: "actionId" });
    expect(problem?.errorMessage).toBe("Notify: its custom action was deleted. Choose another one.");
    expect(isPublishable([problem!])).toBe(false);
    expect(found({ actionId: ACTION })).toEqual([]);
  });

  test("a required variable without a value names the variable and the action; a default or a token is a value", () => {
    const required = variable("who", { required: true });
    expect(found({ actionId: ACTION, variables: { who: "" } }, [required])).toEqual([
      "Notify: the variable who of Notify billing has no value. Fill it in, or give it a default on the custom action's page.",
    ]);
    expect(found({ actionId: ACTION }, [variable("who", { required: true, defaultValue: "all" })])).toEqual([]);
    expect(found({ actionId: ACTION, variables: { who: "{{CRM.company.name}}" } }, [required])).toEqual([]);
  });

  test("a fixed value that its variable can't take is an error; one for a variable that is gone is not", () => {
    const size = variable("size", { type: "number" });
    expect(found({ actionId: ACTION, variables: { size: "tall" } }, [size])).toEqual([
      "Notify: the variable size of Notify billing needs a number, not “tall”. Change its value.",
    ]);
    expect(found({ actionId: ACTION, variables: { size: "3", gone: "x" } }, [size])).toEqual([]);
  });

  test("nothing is said where the actions can't be read, nor of a node for which none is chosen yet", () => {
    const graph = notifying({ actionId: "f".repeat(24) });
    expect(validateGraph(graph, { ...world([]), customActions: null })).toEqual([]);
    expect(found({}).some((message) => message.includes("deleted"))).toBe(false);
  });

  test("a field pipeline is held to the same", () => {
    const configuration = { connectorId: CRM, entityDefinition: "company", attributeDefinition: "name" };
    const graph = graphOf(
      [
        { id: "in", label: "in", nodeType: "ATTRIBUTE_SOURCE", configuration },
        ...notifying({ actionId: "f".repeat(24) }).nodes.filter(({ id }) => id === "notify"),
        { id: "field", label: "Name", nodeType: "CORE_ATTRIBUTE" },
      ],
      ["in>notify", "notify>field"],
    );
    const field = FieldSchema.parse({ apiName: "Name", displayName: "Name" });
    const problems = validateFieldGraph(graph, field, graphOf([source("crm"), core()], ["crm>core"]), world([]));
    expect(problems.map(({ code }) => code)).toEqual(["custom_action_unknown"]);
  });
});
