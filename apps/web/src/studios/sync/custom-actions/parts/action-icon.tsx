/** Icons that custom actions can have, by the name that is stored. */
import {
  IconBell,
  IconBolt,
  IconCalculator,
  IconCalendar,
  IconCheck,
  IconCloud,
  IconCreditCard,
  IconFileInvoice,
  IconMail,
  IconMapPin,
  IconMessage,
  IconPackage,
  IconPhone,
  IconSend,
  IconShieldCheck,
  IconStar,
  IconTag,
  IconTruck,
  IconUser,
  IconUsers,
  IconWebhook,
  IconWorld,
  type Icon,
} from "@tabler/icons-react";

const ICONS: Readonly<Record<string, Icon>> = {
  bolt: IconBolt,
  webhook: IconWebhook,
  send: IconSend,
  mail: IconMail,
  message: IconMessage,
  phone: IconPhone,
  bell: IconBell,
  world: IconWorld,
  cloud: IconCloud,
  user: IconUser,
  users: IconUsers,
  invoice: IconFileInvoice,
  card: IconCreditCard,
  package: IconPackage,
  truck: IconTruck,
  pin: IconMapPin,
  calendar: IconCalendar,
  calculator: IconCalculator,
  tag: IconTag,
  star: IconStar,
  check: IconCheck,
  shield: IconShieldCheck,
};

export const ICON_NAMES: readonly string[] = Object.keys(ICONS);
export const DEFAULT_ICON = "bolt";

/** An unknown name shows the common one. */
export function ActionIcon({ name, size, stroke = 1.7 }: { name: string; size: number; stroke?: number }) {
  const Shown = ICONS[name] ?? IconBolt;
  return <Shown size={size} stroke={stroke} aria-hidden />;
}
