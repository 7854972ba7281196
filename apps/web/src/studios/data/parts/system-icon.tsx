/** The tile of a connected system, with its name for those who can't see it. */
import { ConnectorIcon } from "../../../shared/connector-icon/connector-icon.tsx";

export interface SystemIconProps {
  name: string;
  icon: string;
  backgroundColor: string;
}

export function SystemIcon({ name, icon, backgroundColor }: SystemIconProps) {
  return (
    <span role="img" aria-label={name}>
      <ConnectorIcon icon={icon} color={backgroundColor} size={28} />
    </span>
  );
}
