/** The word catalogues, typed: a misspelt key does not compile. `useWords("data")` in components, `words.t` elsewhere. */
import { en } from "@accord/contracts/messages/en/index";
import i18next, { type TFunction } from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    resources: typeof en;
    returnNull: false;
  }
}

export const words = i18next.createInstance();

void words.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  defaultNS: "shell",
  ns: Object.keys(en),
  resources: { en },
  // React escapes what it renders.
  interpolation: { escapeValue: false },
  initAsync: false,
});

type Area = keyof typeof en;

/**
 * `const { t } = useWords("data")`, then `t("records.title")` of that area, or of any other with its name before:
 * `t("shell:action.save")`.
 */
export function useWords<Ns extends Area = "shell">(area?: Ns): { t: TFunction<[Ns, Area]> } {
  const { t } = useTranslation(area ?? "shell");
  return { t: t as unknown as TFunction<[Ns, Area]> };
}
