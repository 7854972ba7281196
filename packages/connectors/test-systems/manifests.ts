/** Manifests of different shapes for the small system, written as the public ones are: definitions, references, parameters. */

const SCHEMA = `
        type: InlineSchemaLoader
        schema:
          type: object
          properties:
            id: { type: integer }
            name: { type: [string, "null"] }
            size: { type: ["null", integer] }
            updated_at: { type: string, format: date-time }
`;

const spec = (properties: string): string => `
spec:
  type: Spec
  connection_specification:
    type: object
    required: [url]
    properties:
      url: { type: string, title: Address }
${properties.replace(/^/gm, "      ")}
`;

const head = "version: 6.0.0\ntype: DeclarativeSource\n";

/** Page numbers, a page size, an API key in a header, changes since a time. */
export const PAGES = `${head}
check: { type: CheckStream, stream_names: [items] }
definitions:
  requester:
    type: HttpRequester
    url_base: "{{ config['url'] }}"
    http_method: GET
    authenticator:
      type: ApiKeyAuthenticator
      api_token: "{{ config['api_key'] }}"
      inject_into: { type: RequestOption, inject_into: header, field_name: X-Api-Key }
  base:
    type: DeclarativeStream
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester:
        $ref: "#/definitions/requester"
        path: "{{ parameters['path'] }}"
        request_parameters: { sort: id }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
      paginator:
        type: DefaultPaginator
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }
        page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: per_page }
        pagination_strategy: { type: PageIncrement, start_from_page: 1, page_size: 4, inject_on_first_request: true }
    schema_loader:${SCHEMA}
streams:
  - $ref: "#/definitions/base"
    $parameters: { name: items, path: /page }
    incremental_sync:
      type: DatetimeBasedCursor
      cursor_field: updated_at
      datetime_format: "%Y-%m-%dT%H:%M:%SZ"
      start_datetime: { type: MinMaxDatetime, datetime: "{{ config.get('start', '2020-01-01T00:00:00Z') }}", datetime_format: "%Y-%m-%dT%H:%M:%SZ" }
      start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since }
  - $ref: "#/definitions/base"
    $parameters: { name: nothing, path: nothing }
${spec("api_key: { type: string, airbyte_secret: true }\nstart: { type: string }")}`;

/** A cursor in the answer, a bearer token, lookback, fields added, removed and filtered. */
export const CURSOR = `${head}
check: { type: CheckStream, stream_names: [items] }
streams:
  - type: DeclarativeStream
    name: items
    primary_key: [id]
    incremental_sync:
      type: DatetimeBasedCursor
      cursor_field: updated_at
      datetime_format: "%Y-%m-%dT%H:%M:%SZ"
      start_datetime: "2020-01-01T00:00:00Z"
      lookback_window: PT2S
      start_time_option: { inject_into: request_parameter, field_name: since, type: RequestOption }
    transformations:
      - type: AddFields
        fields:
          - { path: [label], value: "{{ record['name'] | upper }}-{{ record.id * 2 }}", type: AddedFieldDefinition }
          - { path: [twice], value: "{{ record['id'] * 2 }}", value_type: integer }
      - { type: RemoveFields, field_pointers: [[region]] }
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: "{{ config['url'] }}/"
        path: cursor
        authenticator: { type: BearerAuthenticator, api_token: "{{ config['token'] }}" }
      record_selector:
        type: RecordSelector
        extractor: { type: DpathExtractor, field_path: [items] }
        record_filter: { type: RecordFilter, condition: "{{ record['id'] != 3 }}" }
      paginator:
        type: DefaultPaginator
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: after }
        pagination_strategy:
          type: CursorPagination
          cursor_value: "{{ response.meta.next.id }}"
          stop_condition: "{{ not response.meta.next }}"
    schema_loader:
      type: InlineSchemaLoader
      schema:
        type: object
        properties:
          id: { type: integer }
          name: { type: string }
          size: { type: [integer, "null"] }
          label: { type: string }
          twice: { type: integer }
          region: { type: string }
          updated_at: { type: string }
${spec("token: { type: string, airbyte_secret: true }")}`;

/** The next page's address in the answer, OAuth by refresh token. */
export const LINKS = `${head}
check: { type: CheckStream, stream_names: [items] }
streams:
  - type: DeclarativeStream
    name: items
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: "{{ config['url'] }}"
        path: /link
        request_parameters: { fields: "id,name" }
        authenticator:
          type: OAuthAuthenticator
          token_refresh_endpoint: "{{ config['url'] }}/oauth/token"
          client_id: "{{ config['client_id'] }}"
          client_secret: "{{ config['client_secret'] }}"
          refresh_token: "{{ config['refresh_token'] }}"
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [results] } }
      paginator:
        type: DefaultPaginator
        page_token_option: { type: RequestPath }
        pagination_strategy: { type: CursorPagination, cursor_value: "{{ headers.link.next.url }}" }
    schema_loader:${SCHEMA}
${spec("client_id: { type: string }\nclient_secret: { type: string, airbyte_secret: true }\nrefresh_token: { type: string, airbyte_secret: true }")}`;

/** Offsets, basic sign-in, wildcards, an error handler with messages and waits of its own. */
export const OFFSETS = `${head}
check: { type: CheckStream, stream_names: [items] }
streams:
  - type: DeclarativeStream
    name: items
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: "{{ config['url'] }}"
        path: /offset
        authenticator: { type: BasicHttpAuthenticator, username: "{{ config['user'] }}", password: "{{ config['password'] }}" }
        error_handler:
          type: CompositeErrorHandler
          error_handlers:
            - type: DefaultErrorHandler
              backoff_strategies: [{ type: WaitUntilTimeFromHeader, header: X-Reset }]
              response_filters:
                - { type: HttpResponseFilter, http_codes: [403], error_message_contains: quota, action: RATE_LIMITED }
            - type: DefaultErrorHandler
              backoff_strategies: [{ type: WaitTimeFromHeader, header: X-Wait, regex: "([0-9]+) seconds" }, { type: ConstantBackoffStrategy, backoff_time_in_seconds: 7 }]
              response_filters:
                - { type: HttpResponseFilter, predicate: "{{ response.code == 'BUSY' }}", action: RETRY }
                - { type: HttpResponseFilter, http_codes: [404], action: IGNORE }
                - { type: HttpResponseFilter, http_codes: [400], action: FAIL, failure_type: config_error, error_message: "Check the account: {{ response['message'] }}" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [payload, rows, "*", row] } }
      paginator:
        type: DefaultPaginator
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: offset }
        page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }
        pagination_strategy: { type: OffsetIncrement, page_size: "{{ config.get('size', 5) }}" }
    schema_loader:${SCHEMA}
${spec("user: { type: string, default: user }\npassword: { type: string, airbyte_secret: true }")}`;

/** Children of parents, in steps of time, the key in the query, epochs. */
export const SUBSTREAM = `${head}
check: { type: CheckStream, stream_names: [projects] }
definitions:
  requester:
    type: HttpRequester
    url_base: "{{ config['url'] }}"
    authenticator:
      type: ApiKeyAuthenticator
      api_token: "{{ config['key'] }}"
      inject_into: { type: RequestOption, inject_into: request_parameter, field_name: key }
  projects:
    type: DeclarativeStream
    name: projects
    primary_key: id
    retriever:
      type: SimpleRetriever
      requester: { $ref: "#/definitions/requester", path: projects }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
      paginator:
        type: DefaultPaginator
        page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: p }
        pagination_strategy: { type: PageIncrement, page_size: 2 }
    schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: integer } } } }
streams:
  - "#/definitions/projects"
  - type: DeclarativeStream
    name: project_items
    primary_key: id
    incremental_sync:
      type: DatetimeBasedCursor
      cursor_field: updated_at
      cursor_datetime_formats: ["%Y-%m-%dT%H:%M:%SZ"]
      datetime_format: "%s"
      start_datetime: { type: MinMaxDatetime, datetime: "2024-01-01", datetime_format: "%Y-%m-%d" }
      end_datetime: { type: MinMaxDatetime, datetime: "{{ config['end'] }}", datetime_format: "%Y-%m-%d" }
      step: P2D
      cursor_granularity: PT1S
      start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: from }
      end_time_option: { type: RequestOption, inject_into: request_parameter, field_name: to }
    transformations:
      - type: AddFields
        fields:
          - { path: [owner], value: "{{ stream_slice.extra_fields['owner.name'] }}" }
          - { path: [project_id], value: "{{ stream_partition.project_id }}" }
    retriever:
      type: SimpleRetriever
      requester: { $ref: "#/definitions/requester", path: "projects/{{ stream_partition.project_id }}/items" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
      partition_router:
        type: SubstreamPartitionRouter
        parent_stream_configs:
          - type: ParentStreamConfig
            parent_key: id
            partition_field: project_id
            extra_fields: [[owner, name]]
            stream: { $ref: "#/definitions/projects" }
    schema_loader:
      type: InlineSchemaLoader
      schema:
        properties: { id: { type: integer }, name: { type: string }, owner: { type: string }, project_id: { type: integer }, updated_at: { type: string, format: date-time } }
${spec("key: { type: string, airbyte_secret: true }\nend: { type: string }")}`;

/** A list of partitions, a choice among sign-ins, records that are the members of an object. */
export const REGIONS = `${head}
check: { type: CheckStream, stream_names: [items] }
streams:
  - type: DeclarativeStream
    name: items
    primary_key: [[region], [id]]
    retriever:
      type: SimpleRetriever
      requester:
        type: HttpRequester
        url_base: "{{ config['url'] }}"
        path: "regions/{{ stream_partition['region'] }}"
        authenticator:
          type: SelectiveAuthenticator
          authenticator_selection_path: [credentials, kind]
          authenticators:
            bearer: { type: BearerAuthenticator, api_token: "{{ config['credentials']['token'] }}" }
            key: { type: ApiKeyAuthenticator, header: X-Api-Key, api_token: "{{ config['credentials']['token'] }}" }
            none: { type: NoAuth }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: ["{{ parameters.top }}", "*"] } }
      paginator: { type: NoPagination }
      partition_router:
        type: ListPartitionRouter
        cursor_field: region
        values: "{{ config['regions'] }}"
    $parameters: { top: "*" }
${spec(`regions: { type: array, items: { type: string } }
credentials:
  type: object
  oneOf:
    - { properties: { kind: { const: bearer }, token: { type: string, airbyte_secret: true } } }
    - { properties: { kind: { const: key }, token: { type: string, airbyte_secret: true } } }`)}`;

/** A session by login, no paging. */
export const SESSION = `${head}
check: { type: CheckStream, stream_names: [items] }
streams:
  - type: DeclarativeStream
    name: items
    primary_key: id
    retriever:
      type: SimpleRetriever
      decoder: { type: JsonDecoder }
      requester:
        type: HttpRequester
        url_base: "{{ config['url'] }}"
        path: session/items
        authenticator:
          type: SessionTokenAuthenticator
          expiration_duration: PT1H
          session_token_path: [session, token]
          login_requester:
            type: HttpRequester
            url_base: "{{ config['url'] }}"
            path: session/login
            http_method: POST
            authenticator: { type: NoAuth }
            request_body_json: { user: "{{ config['user'] }}", password: "{{ config['password'] }}" }
          request_authentication:
            type: ApiKey
            inject_into: { type: RequestOption, inject_into: header, field_name: X-Session }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
    schema_loader:${SCHEMA}
${spec("user: { type: string, default: user }\npassword: { type: string, airbyte_secret: true }")}`;

/** Pages by the body of a POST, lines of JSON; and CSV. */
export const BODIES = `${head}
check: { type: CheckStream, stream_names: [lines] }
streams:
  - type: DeclarativeStream
    name: lines
    primary_key: id
    retriever:
      type: SimpleRetriever
      decoder: { type: JsonlDecoder }
      requester:
        type: HttpRequester
        url_base: "{{ config['url'] }}"
        path: lines
        http_method: POST
        request_body_json: { token: "{{ config['token'] }}" }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
      paginator:
        type: DefaultPaginator
        page_token_option: { type: RequestOption, inject_into: body_json, field_path: [page, start] }
        page_size_option: { type: RequestOption, inject_into: body_json, field_path: [page, size] }
        pagination_strategy: { type: OffsetIncrement, page_size: 6, inject_on_first_request: true }
    schema_loader:${SCHEMA}
  - type: DeclarativeStream
    name: table
    primary_key: id
    retriever:
      type: SimpleRetriever
      decoder: { type: CsvDecoder, delimiter: ";" }
      requester: { type: HttpRequester, url_base: "{{ config['url'] }}", path: csv }
      record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [] } }
    schema_loader:${SCHEMA}
${spec("token: { type: string, airbyte_secret: true }")}`;
