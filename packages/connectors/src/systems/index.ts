/** The systems that are described, in alphabetical order. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { airtable } from "./airtable/index.ts";
import { github } from "./github/index.ts";
import { hubspot } from "./hubspot/index.ts";
import { intercom } from "./intercom/index.ts";
import { jira } from "./jira/index.ts";
import { mailchimp } from "./mailchimp/index.ts";
import { notion } from "./notion/index.ts";
import { salesforce } from "./salesforce/index.ts";
import { shopify } from "./shopify/index.ts";
import { stripe } from "./stripe/index.ts";
import { zendesk } from "./zendesk/index.ts";

export const SYSTEMS: readonly ConnectorDefinition[] = [
  // One to a line: a system is its folder and its line here.
  airtable,
  github,
  hubspot,
  intercom,
  jira,
  mailchimp,
  notion,
  salesforce,
  shopify,
  stripe,
  zendesk,
];
