/** Even spacing of forms: inputs under each other, pairs side by side, buttons at the lower right. */
import type { FormEvent, ReactNode } from "react";
import "./form-layout.css";

export interface FormStackProps {
  children: ReactNode;
  onSubmit: () => void;
  /** Leave checking to us instead of the browser. */
  noValidate?: boolean;
}

export function FormStack({ children, onSubmit, noValidate = false }: FormStackProps) {
  return (
    <form
      className="ac-form"
      noValidate={noValidate}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        // A form in a dialog stands beside the form that opened it, and React still hands its events up to that one.
        event.stopPropagation();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

export const FormPair = ({ children }: { children: ReactNode }) => <div className="ac-form__pair">{children}</div>;
export const FormIntro = ({ children }: { children: ReactNode }) => <p className="ac-form__lead">{children}</p>;
export const FormActions = ({ children }: { children: ReactNode }) => <div className="ac-form__foot">{children}</div>;
