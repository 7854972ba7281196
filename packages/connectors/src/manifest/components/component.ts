/** What a component type of manifests is here: its options, its parts, and what it becomes when a stream is built. */
import type { Values } from "@accord/contracts/data/values";
import { z } from "zod";
import { isComponentNode, type ComponentNode } from "./node.ts";
import type { Build, Families } from "./model.ts";

/** A part that is a component. */
export const Part = z.custom<ComponentNode>(isComponentNode, "must be a component with a type");
export const Parts = z.array(Part);
/** A part or several. */
export const OneOrMore = z.union([Part, Parts]).transform((parts) => (Array.isArray(parts) ? parts : [parts]));

/** Options that are templates may be written as numbers and truth values too. */
export const Text = z.union([z.string(), z.number(), z.boolean()]).transform(String);
export const optional = <Schema extends z.ZodType>(schema: Schema) => schema.nullish();

export interface Slot {
  /** The type of a part that names none. */
  type?: string;
  /** Parts by name, rather than one or a list. */
  isMap?: boolean;
}

export interface Component<Family extends keyof Families> {
  type: string;
  family: Family;
  /** Options that hold components. */
  slots: Readonly<Record<string, Slot>>;
  /** Documented options that are not supported: a stream that sets one is refused. */
  refuses: readonly string[];
  /** Names of the options that parameters may fill. */
  optionNames: readonly string[];
  make(node: ComponentNode, build: Build): Families[Family];
}

interface ComponentSpec<Family extends keyof Families, Shape extends z.ZodRawShape> {
  type: string;
  family: Family;
  options: Shape;
  slots?: Readonly<Record<string, Slot>>;
  refuses?: readonly string[];
  make(options: z.output<z.ZodObject<Shape>>, build: Build): Families[Family];
}

export function defineComponent<Family extends keyof Families, Shape extends z.ZodRawShape>(
  spec: ComponentSpec<Family, Shape>,
): Component<Family> {
  const schema = z.object(spec.options);
  return {
    type: spec.type,
    family: spec.family,
    slots: spec.slots ?? {},
    refuses: spec.refuses ?? [],
    optionNames: Object.keys(spec.options),
    make(node, build) {
      const parsed = schema.safeParse(node);
      if (parsed.success) return spec.make(parsed.data, build);
      const [issue] = parsed.error.issues;
      throw build.problem(`${spec.type}.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "is not valid"}`);
    },
  };
}

export const parametersOf = (node: ComponentNode): Values => {
  const parameters = node["$parameters"];
  return z
    .record(z.string(), z.custom<Values[string]>())
    .catch({})
    .parse(parameters ?? {});
};
