/** The tile of a connected system. */
import { IconPlug } from "@tabler/icons-react";
import "./system-icon.css";

export function SystemIcon({ name }: { name: string; icon: string; backgroundColor: string }) {
  return (
    <span className="ac-system-icon" role="img" aria-label={name}>
      <IconPlug size={16} />
    </span>
  );
}
