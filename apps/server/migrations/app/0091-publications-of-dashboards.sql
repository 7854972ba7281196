-- What a published dashboard shows: its cards and datasets as they were when it was published.
CREATE TABLE dashboard_publication (
  instance_id text COLLATE "C" NOT NULL REFERENCES instance (id) ON DELETE CASCADE,
  dashboard_id text COLLATE "C" PRIMARY KEY REFERENCES dashboard (id) ON DELETE CASCADE,
  -- [{ id, displayName, description, version, configuration }]
  cards jsonb NOT NULL,
  -- [{ id, name, displayName, version, config }]: those the cards stand on, and those below them.
  datasets jsonb NOT NULL,
  published_by text NOT NULL,
  published_at timestamptz(3) NOT NULL
);
CREATE INDEX dashboard_publication_instance ON dashboard_publication (instance_id);

-- Dashboards published before this get a copy of what they show now.
WITH RECURSIVE placed AS (
  SELECT dashboard.id AS dashboard_id, card.*
    FROM dashboard
    CROSS JOIN LATERAL jsonb_array_elements(dashboard.cards) AS place
    JOIN data_card AS card ON card.id = place ->> 'id' AND card.instance_id = dashboard.instance_id
   WHERE dashboard.draft_status = 'APPROVED'
), used (dashboard_id, instance_id, dataset_id) AS (
  SELECT dashboard_id, instance_id, dataset_id FROM placed
  UNION
  SELECT used.dashboard_id, used.instance_id, source ->> 'datasetId'
    FROM used
    JOIN dataset ON dataset.id = used.dataset_id AND dataset.instance_id = used.instance_id
    CROSS JOIN LATERAL jsonb_array_elements(dataset.config -> 'sources') AS source
   WHERE source ->> 'datasetType' = 'DATASET'
), cards AS (
  SELECT dashboard_id,
         jsonb_agg(jsonb_build_object('id', id, 'displayName', display_name, 'description', description,
                                      'version', version, 'configuration', configuration)) AS content
    FROM placed GROUP BY dashboard_id
), datasets AS (
  SELECT used.dashboard_id,
         jsonb_agg(jsonb_build_object('id', dataset.id, 'name', dataset.name, 'displayName', dataset.display_name,
                                      'version', dataset.version, 'config', dataset.config)) AS content
    FROM used JOIN dataset ON dataset.id = used.dataset_id AND dataset.instance_id = used.instance_id
   GROUP BY used.dashboard_id
)
INSERT INTO dashboard_publication (instance_id, dashboard_id, cards, datasets, published_by, published_at)
SELECT dashboard.instance_id, dashboard.id, coalesce(cards.content, '[]'), coalesce(datasets.content, '[]'),
       dashboard.updated_by, dashboard.updated_at
  FROM dashboard
  LEFT JOIN cards ON cards.dashboard_id = dashboard.id
  LEFT JOIN datasets ON datasets.dashboard_id = dashboard.id
 WHERE dashboard.draft_status = 'APPROVED';
