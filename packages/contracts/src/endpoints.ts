/** Every endpoint of the API, one line a feature. The server refuses to serve one that isn't here. */
import type { AnyEndpoint } from "./endpoint.ts";

/** Feature files, as modules: each exports its endpoints beside its schemas. Add your feature's line to both lists. */
import * as changeDetection from "./connections/change-detection.ts";
import * as connectorFiles from "./connections/connector-files.ts";
import * as connectors from "./connections/connectors.ts";
import * as httpSynapseEntities from "./connections/http-synapse-entities.ts";
import * as httpSynapseOptions from "./connections/http-synapse-options.ts";
import * as httpSynapseSharing from "./connections/http-synapse-sharing.ts";
import * as httpSynapseTests from "./connections/http-synapse-tests.ts";
import * as httpSynapses from "./connections/http-synapses.ts";
import * as manifestFacts from "./connections/manifest-facts.ts";
import * as oauthSignIn from "./connections/oauth-sign-in.ts";
import * as sdkSynapseSharing from "./connections/sdk-synapse-sharing.ts";
import * as sdkSynapseTemplate from "./connections/sdk-synapse-template.ts";
import * as sdkSynapses from "./connections/sdk-synapses.ts";
import * as webhookDrafts from "./connections/webhook-drafts.ts";
import * as webhooks from "./connections/webhooks.ts";
import * as coreSchema from "./data/core-schema.ts";
import * as records from "./data/records.ts";
import * as referenceData from "./data/reference-data.ts";
import * as savedFilters from "./data/saved-filters.ts";
import * as instances from "./identity/instances.ts";
import * as preferences from "./identity/preferences.ts";
import * as roles from "./identity/roles.ts";
import * as signIn from "./identity/sign-in.ts";
import * as users from "./identity/users.ts";
import * as allowedDomains from "./insights/allowed-domains.ts";
import * as cardAlerts from "./insights/card-alerts.ts";
import * as cardAssistant from "./insights/card-assistant.ts";
import * as dataCards from "./insights/cards.ts";
import * as dashboards from "./insights/dashboards.ts";
import * as datasets from "./insights/datasets.ts";
import * as datasetExports from "./insights/dataset-exports.ts";
import * as datasetSql from "./insights/dataset-sql.ts";
import * as datasetUses from "./insights/dataset-uses.ts";
import * as externalView from "./insights/external-view.ts";
import * as mirror from "./insights/mirror.ts";
import * as markRecords from "./insights/mark-records.ts";
import * as sharing from "./insights/sharing.ts";
import * as audit from "./operations/audit.ts";
import * as health from "./operations/health.ts";
import * as mails from "./operations/mails.ts";
import * as notifications from "./operations/notifications.ts";
import * as actions from "./sync/actions.ts";
import * as customActionChecks from "./sync/custom-action-checks.ts";
import * as conflicts from "./sync/monitoring/conflicts.ts";
import * as explain from "./sync/monitoring/explain.ts";
import * as merges from "./sync/merges.ts";
import * as flow from "./sync/monitoring/flow.ts";
import * as metrics from "./sync/monitoring/metrics.ts";
import * as fragments from "./sync/fragments.ts";
import * as fieldPipelines from "./sync/field-pipelines.ts";
import * as entityPipelines from "./sync/entity-pipelines.ts";
import * as nodeFields from "./sync/node-fields.ts";
import * as nodeSteps from "./sync/node-steps.ts";
import * as palette from "./sync/palette.ts";
import * as pipelineLogs from "./sync/monitoring/pipeline-logs.ts";
import * as pipelineTests from "./sync/tests/pipeline-test-calls.ts";
import * as pipelineVersions from "./sync/pipeline-versions.ts";
import * as pipelines from "./sync/pipelines.ts";
import * as providers from "./sync/providers.ts";
import * as publishDiff from "./sync/tests/publish-diff.ts";
import * as reconciliation from "./sync/reconciliation.ts";
import * as refusedValues from "./sync/monitoring/refused-values.ts";
import * as retention from "./sync/retention.ts";
import * as quarantine from "./sync/monitoring/quarantine.ts";
import * as runs from "./sync/monitoring/runs.ts";
import * as transactions from "./sync/monitoring/transactions.ts";
import * as tryRecord from "./sync/tests/try-record.ts";
import * as waitingDeliveries from "./sync/monitoring/waiting-deliveries.ts";

const FEATURES: readonly object[] = [
  signIn,
  users,
  roles,
  instances,
  preferences,
  mails,
  notifications,
  audit,
  health,
  changeDetection,
  connectors,
  httpSynapses,
  httpSynapseEntities,
  httpSynapseOptions,
  httpSynapseSharing,
  httpSynapseTests,
  manifestFacts,
  oauthSignIn,
  sdkSynapses,
  sdkSynapseSharing,
  sdkSynapseTemplate,
  webhookDrafts,
  connectorFiles,
  webhooks,
  coreSchema,
  records,
  savedFilters,
  referenceData,
  actions,
  customActionChecks,
  providers,
  pipelines,
  pipelineVersions,
  pipelineTests,
  pipelineTests.entityPipelineTests,
  pipelineTests.fieldPipelineTests,
  publishDiff,
  tryRecord,
  palette,
  entityPipelines,
  nodeFields,
  nodeSteps,
  fieldPipelines,
  fragments,
  runs,
  quarantine,
  transactions,
  pipelineLogs,
  conflicts,
  merges,
  metrics,
  flow,
  explain,
  reconciliation,
  refusedValues,
  waitingDeliveries,
  retention,
  datasets,
  datasetExports,
  datasetSql,
  datasetUses,
  externalView,
  mirror,
  dataCards,
  cardAlerts,
  cardAssistant,
  dashboards,
  markRecords,
  sharing,
  allowedDomains,
];

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === "object" && value !== null && "method" in value && "path" in value && "reply" in value;

export const ENDPOINTS: readonly AnyEndpoint[] = FEATURES.flatMap((feature) =>
  Object.values(feature).filter(isEndpoint),
);
