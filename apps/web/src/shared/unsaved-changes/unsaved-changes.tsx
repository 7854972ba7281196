/** Which forms on the screen hold something typed that is saved nowhere: nothing of it is lost without a question. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from "react";

/** Forms that are open, each with whether it has unsaved changes. */
interface OpenForms {
  register: (form: { isDirty: boolean }) => () => void;
  hasUnsaved: () => boolean;
}

function openForms(outer?: OpenForms): OpenForms {
  const forms = new Set<{ isDirty: boolean }>();
  return {
    register(form) {
      forms.add(form);
      const leaveOuter = outer?.register(form);
      return () => {
        forms.delete(form);
        leaveOuter?.();
      };
    },
    hasUnsaved: () => [...forms].some(({ isDirty }) => isDirty),
  };
}

/** All forms of the screen, those in drawers and dialogs too. */
const screen = openForms();
const Around = createContext(screen);

export const hasUnsavedChanges = (): boolean => screen.hasUnsaved();

/**
 * Says of the form that calls it whether something is typed and not saved. While it is, leaving the screen by a link,
 * Back or a reload asks first, and so does closing the drawer or dialog around the form.
 * Whoever goes elsewhere after saving navigates with `ignoreBlocker`.
 */
export function useUnsavedChanges(isDirty: boolean): void {
  const forms = useContext(Around);
  const [form] = useState(() => ({ isDirty: false }));
  useEffect(() => forms.register(form), [forms, form]);
  useEffect(() => {
    form.isDirty = isDirty;
  }, [form, isDirty]);
}

/** Whether a value (plain data) is another one than when the form was opened. */
export function useIsChanged(value: unknown): boolean {
  const text = JSON.stringify(value);
  const [first] = useState(text);
  return text !== first;
}

/** Forms inside are asked about by themselves: `hasUnsaved` looks at those alone. */
export function useFormScope(): { hasUnsaved: () => boolean; Scope: (props: { children: ReactNode }) => ReactNode } {
  const outer = useContext(Around);
  const forms = useRef<OpenForms>(undefined);
  forms.current ??= openForms(outer);
  const inner = forms.current;
  return useMemo(
    () => ({
      hasUnsaved: inner.hasUnsaved,
      Scope: ({ children }) => <Around value={inner}>{children}</Around>,
    }),
    [inner],
  );
}
