/** JSON over HTTP, described instead of programmed: sign-in, paging, record paths, and how to create, change and delete. */
import { ConnectorError, defineConnector, type Connection } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import { changedDescriptionProblems, destinationsBy, destinationsOf, HttpConfig, hostsOf } from "./config.ts";
import { API_CAPABILITIES, capabilitiesOf, connectApi } from "./connect.ts";
import { authorizationOf, signInProblems } from "./sign-in/authorization.ts";
import { HTTP_AUTH_METHODS, HTTP_CONFIG_FIELDS } from "./sign-in/inputs.ts";

export { previewEntity, proposeFrom, type AnswerProposal, type EntityPreview } from "./lists/preview.ts";

export const httpConnector = defineConnector({
  type: "http",
  displayName: "JSON API",
  category: "api",
  description: "Any system with a JSON API: describe its endpoints, try them, and map their records.",
  icon: "api",
  backgroundColor: "teal",
  config: HttpConfig,
  configFields: HTTP_CONFIG_FIELDS,
  authMethods: HTTP_AUTH_METHODS,
  capabilities: API_CAPABILITIES,
  capabilitiesOf: (config, schema) => {
    const entity = config.entities.find((candidate) => candidate.apiName === schema.apiName);
    return entity ? capabilitiesOf(entity) : [];
  },
  readPageSize: 1000,
  writeBatchSize: 50,
  readDelaySeconds: 0,
  editProblems: changedDescriptionProblems,
  hosts: (config) => hostsOf(config),
  destinations: (config, authType) =>
    authType === undefined ? destinationsOf(config) : destinationsBy(config, authType),
  signInProblems: (config, authType) => signInProblems(config, authType),
  authorization: (config, credentials) => authorizationOf(config, credentials),

  connect(context, config): Connection {
    const configured = (apiName: string): HttpEntityConfig => {
      const entity = config.entities.find((candidate) => candidate.apiName === apiName);
      if (entity) return entity;
      throw new ConnectorError("schemaChanged", `There is no entity ${apiName} any more.`, {
        hint: "Add it again in the connector's settings, or take it out of the pipeline.",
      });
    };
    return connectApi(context, config, {
      described: ({ apiName }) => configured(apiName),
      all: async () => config.entities,
    });
  },
});
