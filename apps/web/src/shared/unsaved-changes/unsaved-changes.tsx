/** Which forms on the screen hold something typed that is saved nowhere: nothing of it is lost without a question. */
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from "react";

/** Whether it has unsaved changes. */
type Form = RefObject<boolean>;

/** Forms that are open. */
export interface OpenForms {
  register: (form: Form) => () => void;
  hasUnsaved: () => boolean;
}

function openForms(outer?: OpenForms): OpenForms {
  const forms = new Set<Form>();
  return {
    register(form) {
      forms.add(form);
      const leaveOuter = outer?.register(form);
      return () => {
        forms.delete(form);
        leaveOuter?.();
      };
    },
    hasUnsaved: () => [...forms].some(({ current }) => current),
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
  const form = useRef(false);
  useEffect(() => forms.register(form), [forms]);
  useEffect(() => {
    form.current = isDirty;
  }, [isDirty]);
}

/** Whether a value (plain data) is another one than when the form was opened. */
export function useIsChanged(value: unknown): boolean {
  const text = JSON.stringify(value);
  const [first] = useState(text);
  return text !== first;
}

/** Of a drawer or dialog: the forms inside, which are asked about by themselves. */
export function useFormScope(): OpenForms {
  const outer = useContext(Around);
  const [forms] = useState(() => openForms(outer));
  return forms;
}

export const FormScope = ({ forms, children }: { forms: OpenForms; children: ReactNode }) => (
  <Around value={forms}>{children}</Around>
);
