/** Takes files: dragged onto it, or chosen from a dialog that also opens by keys. */
import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { useRef, useState } from "react";

export interface DropZoneProps {
  /** Endings the dialog offers: `.csv,.xlsx`. */
  accept: string;
  lead: string;
  button: string;
  hint: string;
  onFiles: (files: Iterable<File>) => void;
}

export function DropZone({ accept, lead, button, hint, onFiles }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  return (
    <div
      className="ac-drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <IconUpload size={22} aria-hidden />
      <div className="ac-drop__words">
        <strong>{lead}</strong>
        <p>{hint}</p>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={accept}
        aria-label={button}
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The same file may be chosen again.
          event.currentTarget.value = "";
        }}
      />
      <Button variant="default" onClick={() => input.current?.click()}>
        {button}
      </Button>
    </div>
  );
}
