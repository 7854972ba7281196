/** The word catalogues, typed: a misspelt key does not compile. `useWords("data")` in components, `words.t` elsewhere. */
import { en } from "@accord/contracts/messages/en/index";
import i18next from "i18next";
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

/** `const { t } = useWords("data")`, then `t("records.title")`, or `t("shell:action.save")` of another area. */
export const useWords = useTranslation;
