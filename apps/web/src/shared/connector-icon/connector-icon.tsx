/** The tile that stands for a kind of system. */
import {
  IconAddressBook,
  IconApi,
  IconBrandAirtable,
  IconBrandGithub,
  IconBrandIntercom,
  IconBrandJira,
  IconBrandMysql,
  IconBrandNotion,
  IconBrandStripe,
  IconBucket,
  IconCalendar,
  IconCloud,
  IconCode,
  IconCreditCard,
  IconDatabase,
  IconFileSpreadsheet,
  IconHeadset,
  IconMailbox,
  IconMessage,
  IconPlug,
  IconServer,
  IconShoppingBag,
  IconShoppingCart,
  IconTable,
  IconTruck,
  IconUsers,
  IconWebhook,
  type Icon,
} from "@tabler/icons-react";
import "./connector-icon.css";

const ICONS: Record<string, Icon> = {
  postgres: IconDatabase,
  mysql: IconBrandMysql,
  api: IconApi,
  files: IconFileSpreadsheet,
  server: IconServer,
  bucket: IconBucket,
  webhook: IconWebhook,
  cart: IconShoppingCart,
  card: IconCreditCard,
  message: IconMessage,
  code: IconCode,
  calendar: IconCalendar,
  truck: IconTruck,
  users: IconUsers,
  airtable: IconBrandAirtable,
  contacts: IconAddressBook,
  crm: IconCloud,
  github: IconBrandGithub,
  intercom: IconBrandIntercom,
  jira: IconBrandJira,
  newsletter: IconMailbox,
  notion: IconBrandNotion,
  shop: IconShoppingBag,
  stripe: IconBrandStripe,
  support: IconHeadset,
  spreadsheet: IconTable,
};

export function ConnectorIcon({ icon, color, size = 36 }: { icon: string; color: string; size?: number }) {
  if (icon.startsWith("data:image/"))
    return <img className="ac-connector-icon" src={icon} alt="" width={size} height={size} />;
  const Glyph = ICONS[icon] ?? IconPlug;
  return (
    <span className="ac-connector-icon" data-color={color} style={{ width: size, height: size }} aria-hidden>
      <Glyph size={Math.round(size * 0.56)} stroke={1.7} />
    </span>
  );
}
