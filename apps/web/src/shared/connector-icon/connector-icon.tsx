/** The tile that stands for a kind of system. */
import { IconApi, IconDatabase, IconFileSpreadsheet, IconPlug, type Icon } from "@tabler/icons-react";
import "./connector-icon.css";

const ICONS: Record<string, Icon> = { postgres: IconDatabase, api: IconApi, files: IconFileSpreadsheet };

export function ConnectorIcon({ icon, color, size = 36 }: { icon: string; color: string; size?: number }) {
  const Glyph = ICONS[icon] ?? IconPlug;
  return (
    <span className="ac-connector-icon" data-color={color} style={{ width: size, height: size }} aria-hidden>
      <Glyph size={Math.round(size * 0.56)} stroke={1.7} />
    </span>
  );
}
