/** A button that keeps the keyboard's focus while what it began goes on. Disabled meanwhile, it would lose it to the page. */
import { Button, type ButtonProps, Loader } from "@mantine/core";
import type { MouseEvent } from "react";
import "./busy-button.css";

export interface BusyButtonProps extends ButtonProps {
  /** Shown in place of the words; presses do nothing meanwhile. */
  busy: boolean;
  onClick: (event: MouseEvent<HTMLButtonElement>) => void;
}

export function BusyButton({ busy, onClick, children, leftSection, ...button }: BusyButtonProps) {
  return (
    <Button
      {...button}
      leftSection={leftSection}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      className="ac-busy-button"
      onClick={(event) => {
        if (!busy) onClick(event);
      }}
    >
      {children}
      {busy ? (
        <Loader className="ac-busy-button__loader" size={18} type="oval" color="var(--button-color)" aria-hidden />
      ) : null}
    </Button>
  );
}
