/** The button of a page's one next step: it has the focus, and a key still held from the page before doesn't press it. */
import { Button } from "@mantine/core";
import type { ReactNode } from "react";

interface Props {
  isPending: boolean;
  onPress: () => void;
  children: ReactNode;
}

export function NextStepButton({ isPending, onPress, children }: Props) {
  return (
    <Button
      // Whoever came by keyboard presses Enter.
      autoFocus
      loading={isPending}
      onKeyDown={(event) => {
        if (event.repeat) event.preventDefault();
      }}
      onClick={onPress}
    >
      {children}
    </Button>
  );
}
