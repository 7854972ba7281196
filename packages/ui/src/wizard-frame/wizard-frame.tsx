/** Steps one after another: where one is, what is done, and Back and Next in the same place. */
import { Button } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useUiWords } from "../ui-words.ts";
import "./wizard-frame.css";

export interface WizardStep {
  id: string;
  label: string;
}

export interface WizardFrameProps {
  steps: readonly WizardStep[];
  current: string;
  /** Steps up to here may be pressed. */
  reached?: string;
  onStep?: (id: string) => void;
  children: ReactNode;
  onBack?: (() => void) | undefined;
  /** Word of the button back; "Back" when absent. */
  backLabel?: string;
  /** Word of the forward button; "Next" when absent. */
  nextLabel?: string;
  onNext: () => void;
  nextDisabled?: boolean;
  busy?: boolean;
  /** Left of the buttons: cancel, a note. */
  footer?: ReactNode;
}

export function WizardFrame(props: WizardFrameProps) {
  const words = useUiWords();
  const at = props.steps.findIndex((step) => step.id === props.current);
  const reached = Math.max(
    at,
    props.steps.findIndex((step) => step.id === props.reached),
  );
  return (
    <form
      className="ac-wizard"
      onSubmit={(event) => {
        event.preventDefault();
        props.onNext();
      }}
    >
      <ol className="ac-wizard__steps">
        {props.steps.map((step, index) => (
          <li key={step.id} data-state={index === at ? "current" : index < at ? "done" : "ahead"}>
            <button
              type="button"
              disabled={index > reached || !props.onStep}
              aria-current={index === at ? "step" : undefined}
              onClick={() => props.onStep?.(step.id)}
            >
              <span className="ac-wizard__number" aria-hidden>
                {index < at ? <IconCheck size={13} stroke={2.4} /> : index + 1}
              </span>
              <span className="ac-wizard__label">{step.label}</span>
            </button>
          </li>
        ))}
      </ol>
      <div className="ac-wizard__body">{props.children}</div>
      <div className="ac-wizard__foot">
        <div>{props.footer}</div>
        {props.onBack ? (
          <Button variant="default" onClick={props.onBack} disabled={props.busy ?? false}>
            {props.backLabel ?? words.back}
          </Button>
        ) : null}
        <Button type="submit" loading={props.busy ?? false} disabled={props.nextDisabled ?? false}>
          {props.nextLabel ?? words.next}
        </Button>
      </div>
    </form>
  );
}
