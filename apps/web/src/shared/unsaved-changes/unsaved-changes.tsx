/** Which forms on the screen hold something typed that is saved nowhere: nothing of it is lost without a question. */
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef, useState } from "react";

/** Whether it has unsaved changes. */
type Form = Readonly<RefObject<boolean>>;

/** Forms that are open; those of a drawer or dialog are one form of what is around it. */
export interface OpenForms {
  register: (form: Form) => () => void;
  hasUnsaved: () => boolean;
}

function openForms(): OpenForms {
  const forms = new Set<Form>();
  return {
    register(form) {
      forms.add(form);
      return () => void forms.delete(form);
    },
    hasUnsaved: () => [...forms].some(({ current }) => current),
  };
}

/** All forms of the screen, those in drawers and dialogs too. */
const screen = openForms();
const Around = createContext(screen);

export const hasUnsavedChanges = (): boolean => screen.hasUnsaved();

/** Milliseconds after which what a save began is drawn: a drawer that closes, a form that shows what was saved. */
const DRAWN = 50;

/** The same for whoever leaves: what is just being saved and closed counts for nothing. */
export async function hasLastingUnsavedChanges(): Promise<boolean> {
  if (!hasUnsavedChanges()) return false;
  await new Promise((resolve) => setTimeout(resolve, DRAWN));
  return hasUnsavedChanges();
}

/**
 * Says of the form that calls it whether something is typed and not saved. While it is, leaving the screen by a link,
 * Back or a reload asks first, and so does closing the drawer or dialog around the form.
 * Whoever goes elsewhere after saving navigates with `ignoreBlocker`, unless the drawer of the form closes with it.
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

const asOneForm = (forms: OpenForms): Form => ({
  get current() {
    return forms.hasUnsaved();
  },
});

/** Of a drawer or dialog: the forms inside, which are asked about by themselves and count for nothing once it is closed. */
export function useFormScope(isOpen: boolean): OpenForms {
  const outer = useContext(Around);
  const [forms] = useState(openForms);
  // Once it is closed, what it holds stays drawn while it fades out.
  useEffect(() => (isOpen ? outer.register(asOneForm(forms)) : undefined), [outer, forms, isOpen]);
  return forms;
}

export const FormScope = ({ forms, children }: { forms: OpenForms; children: ReactNode }) => (
  <Around value={forms}>{children}</Around>
);
