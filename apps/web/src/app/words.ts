/**
 * The word catalogues, typed: a misspelt key does not compile. `useWords("data")` in components, `words.t` elsewhere.
 * A studio's catalogue is loaded with its first screen, the others once nothing else is to be done.
 */
import { builder } from "@accord/contracts/messages/en/sync/builder";
import { errors } from "@accord/contracts/messages/en/errors";
import type { en } from "@accord/contracts/messages/en/index";
import { shell } from "@accord/contracts/messages/en/shell";
import { values } from "@accord/contracts/messages/en/values";
import i18next, { type BackendModule, type TFunction } from "i18next";
import { use } from "react";
import { loadUntilThere } from "./lazy-screen.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    resources: typeof en;
    returnNull: false;
  }
}

type Area = keyof typeof en;

/** What the frame says, and code outside of components. */
const EARLY = { builder, errors, shell, values } as const;
type Early = keyof typeof EARLY;
type Later = Exclude<Area, Early>;

const LATER: { [Name in Later]: () => Promise<{ [name in Name]: (typeof en)[Name] }> } = {
  changes: () => import("@accord/contracts/messages/en/changes"),
  connections: () => import("@accord/contracts/messages/en/connections"),
  connectorFiles: () => import("@accord/contracts/messages/en/connector-files"),
  customActions: () => import("@accord/contracts/messages/en/sync/custom-actions"),
  customSynapses: () => import("@accord/contracts/messages/en/synapses/custom-synapses"),
  sdkSynapses: () => import("@accord/contracts/messages/en/synapses/sdk-synapses"),
  data: () => import("@accord/contracts/messages/en/data"),
  graph: () => import("@accord/contracts/messages/en/sync/graph"),
  identity: () => import("@accord/contracts/messages/en/identity"),
  insights: () => import("@accord/contracts/messages/en/insights"),
  manifests: () => import("@accord/contracts/messages/en/manifests"),
  reconciliation: () => import("@accord/contracts/messages/en/sync/reconciliation"),
  schema: () => import("@accord/contracts/messages/en/schema"),
  sync: () => import("@accord/contracts/messages/en/sync"),
  systemSignIn: () => import("@accord/contracts/messages/en/system-sign-in"),
  webhooks: () => import("@accord/contracts/messages/en/webhooks"),
};

const isLater = (area: string): area is Later => Object.hasOwn(LATER, area);

async function loadCatalogue(area: Later): Promise<Record<string, unknown>> {
  const loaded: Partial<Record<Later, Record<string, unknown>>> = await loadUntilThere<object>(LATER[area]);
  return loaded[area] ?? {};
}

const catalogues: BackendModule = {
  type: "backend",
  init: () => {},
  read: (_language, area, done) => {
    if (!isLater(area)) return done(new Error(`There is no catalogue ${area}.`), null);
    loadCatalogue(area).then(
      (catalogue) => done(null, catalogue),
      (error: Error) => done(error, null),
    );
  },
};

export const words = i18next.createInstance();

void words.use(catalogues).init({
  lng: "en",
  fallbackLng: "en",
  defaultNS: "shell",
  ns: Object.keys(EARLY),
  resources: { en: EARLY },
  partialBundledLanguages: true,
  // React escapes what it renders.
  interpolation: { escapeValue: false },
  initAsync: false,
});

/** So that no part of a screen that is opened later waits for its words. */
export const loadAllWords = (): Promise<void> => words.loadNamespaces(Object.keys(LATER));

/** Translates with the words of some areas; what it answers without values to put in, it looks up once. */
function translatorOf(areas: readonly Area[]): (key: string, ...values: unknown[]) => string {
  const fixed = words.getFixedT("en", [...areas]);
  const texts = new Map<string, string>();
  return (key, ...values) => {
    const known = values.length === 0 ? texts.get(key) : undefined;
    if (known !== undefined) return known;
    const text: string = Reflect.apply(fixed, undefined, [key, ...values]);
    if (values.length === 0) texts.set(key, text);
    return text;
  };
}

const translators = new Map<string, { t: unknown }>();
const loads = new Map<string, Promise<void>>();

/** Loads the catalogues, once for all who use the same areas; nothing where they were there from the start. */
function loadOf(name: string, areas: readonly Area[]): Promise<void> | undefined {
  const begun = loads.get(name);
  if (begun || translators.has(name) || areas.every((each) => words.hasResourceBundle("en", each))) return begun;
  const load = words.loadNamespaces([...areas]);
  loads.set(name, load);
  return load;
}

/**
 * `const { t } = useWords("data")`, then `t("records.title")` of that area; with their names before them those of the
 * areas that follow it, and `t("shell:action.save")`. Waits for catalogues that are not there yet, as a screen does for
 * its chunk. There is one language, so that nothing need be watched: hundreds of parts of a screen use words.
 */
export function useWords<Ns extends Area = "shell", More extends Area = never>(
  area?: Ns,
  ...more: More[]
): { t: TFunction<[Ns, More | Early]> } {
  const areas: Area[] = area ? [area, ...more] : ["shell"];
  const name = areas.join(" ");
  const load = loadOf(name, areas);
  // Also once it is over: what waited for it must ask for it again.
  if (load) use(load);
  const known = translators.get(name) ?? { t: translatorOf(areas) };
  translators.set(name, known);
  return known as unknown as { t: TFunction<[Ns, More | Early]> };
}
