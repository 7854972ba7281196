/** Templates of manifests: each documented function, filter and rule by example, and what hostile templates can't do. */
import type { Value } from "@accord/contracts/data/values";
import { describe, expect, test } from "vitest";
import { processorTimeOf } from "../fixtures/processor-time.ts";
import { TemplateError } from "./errors.ts";
import { compileTemplate, type TemplateFacts } from "./template.ts";

const NOW = new Date("2021-09-01T10:20:30.123Z");
const FACTS: TemplateFacts = {
  config: { start: "2020-01-01", nested: { key: "k" }, items: "own key", list: ["a", "b"], flag: false, none: null },
  record: { id: 7, big: JSON.rawJSON("12345678901234567890"), name: "Zoë", tags: ["x", "y"], "odd key": 1 },
  response: { paging: { next: "abc" }, items: [{ id: 1 }, { id: 2 }] },
  stream_partition: { id: "p1" },
};
const world = { facts: FACTS, now: () => NOW };
const valueOf = (source: string): Value => compileTemplate(source).value(world);

const VALUES: Record<string, [string, Value][]> = {
  "names, members and slices": [
    ["{{ config['start'] }}", "2020-01-01"],
    ["{{ config.start }}", "2020-01-01"],
    ["{{ config['nested']['key'] }}", "k"],
    ["{{ config.get('start') }}", "2020-01-01"],
    ["{{ config.get('missing', 'other') }}", "other"],
    ["{{ config['items'] }}", "own key"],
    ["{{ config['start'][:4] }}", 2020],
    ["{{ config['start'][5:] }}", "01-01"],
    ["{{ config['start'][-2:] }}", "01"],
    ["{{ 'abcdef'[::-1] }}", "fedcba"],
    ["{{ record['tags'][-1] }}", "y"],
    ["{{ response['items'][1].id }}", 2],
    ["{{ 'id' in record }}", true],
    ["{{ 'x' in record.tags and 'z' not in record.tags }}", true],
    ["{{ config.missing }}", null],
    ["{{ config.missing.deeper }}", null],
    ["{{ config.missing.deeper | default('d') }}", "d"],
    ["{{ config['none'] or 'filled' }}", "filled"],
    ["{{ 'yes' if config.flag else 'no' }}", "no"],
    ["{{ 'a' if config.flag }}", null],
    ["{% if record.id > 5 %}big{% elif record.id > 3 %}mid{% else %}small{% endif %}", "big"],
    ["{% for item in response['items'] %}{{ item.id }}{% if not loop.last %},{% endif %}{% endfor %}", "1,2"],
    ["{% set x = 3 %}{{ x * 2 }}", 6],
    ["no template", "no template"],
  ],
  "results read as literals": [
    ["{{ 5 }}", 5],
    ["5", 5],
    ["{{ 1 == 1 }}", true],
    ["{{ [1, 'a', none] }}", [1, "a", null]],
    ["{{ {'a': [true]} }}", { a: [true] }],
    ["[1, 2", "[1, 2"],
    ["(1,)", [1]],
    ["(1)", 1],
    ["007", "007"],
    ["2021-10-11", "2021-10-11"],
    ["True words", "True words"],
    ['{"a": true}', '{"a": true}'],
    ["{{ record['big'] }}", "12345678901234567890"],
    ["{{ record['id'] }}-{{ stream_partition['id'] }}", "7-p1"],
    ["'quoted'", "quoted"],
    ["{{ '' }}", null],
  ],
  times: [
    ["{{ now_utc() }}", "2021-09-01 10:20:30.123000+00:00"],
    ["{{ now_utc().strftime('%Y-%m-%dT%H:%M:%SZ') }}", "2021-09-01T10:20:30Z"],
    ["{{ now_utc().year }}", 2021],
    ["{{ today_utc() }}", "2021-09-01"],
    ["{{ today_utc().strftime('%Y/%m/%d') }}", "2021/09/01"],
    ["{{ timestamp(1646006400) }}", 1646006400],
    ["{{ timestamp('2022-02-28') }}", 1646006400],
    ["{{ timestamp('2022-02-28T00:00:00Z') }}", 1646006400],
    ["{{ timestamp('2022-02-28 00:00:00Z') }}", 1646006400],
    ["{{ timestamp('2022-02-28T00:00:00-08:00') }}", 1646035200],
    ["{{ day_delta(1) }}", "2021-09-02T10:20:30.123000+0000"],
    ["{{ day_delta(-1) }}", "2021-08-31T10:20:30.123000+0000"],
    ["{{ day_delta(25, format='%Y-%m-%d') }}", "2021-09-26"],
    ["{{ (now_utc() - duration('P1D')).strftime('%Y-%m-%d') }}", "2021-08-31"],
    ["{{ (now_utc() - duration('P1M')).strftime('%Y-%m-%d') }}", "2021-08-01"],
    ["{{ (str_to_datetime('2024-03-31') - duration('P1M')).strftime('%Y-%m-%d') }}", "2024-02-29"],
    ["{{ (str_to_datetime('2022-01-14') + duration('PT1H30M')).isoformat() }}", "2022-01-14T01:30:00+00:00"],
    ["{{ (str_to_datetime('2022-01-14') - str_to_datetime('2022-01-01')).days }}", 13],
    ["{{ str_to_datetime('2022-01-14') }}", "2022-01-14 00:00:00+00:00"],
    ["{{ format_datetime('2022-01-01T01:01:01Z', '%Y-%m-%d') }}", "2022-01-01"],
    ["{{ format_datetime(config['start'], '%s') }}", 1577836800],
    ["{{ format_datetime(1640998861, '%Y-%m-%dT%H:%M:%SZ') }}", "2022-01-01T01:01:01Z"],
    ["{{ format_datetime('28/02/2022', '%Y-%m-%d', '%d/%m/%Y') }}", "2022-02-28"],
    ["{{ format_datetime(20220228, '%Y-%m-%d', '%Y%m%d') }}", "2022-02-28"],
    ["{{ format_datetime('2022-01-01T01:01:01.5+02:00', '%ms') }}", 1640991661500],
    [
      "{{ format_datetime(now_utc(), '%A %-d %B %y, %I %p, day %j, %f, %z %%') }}",
      "Wednesday 1 September 21, 10 AM, day 244, 123000, +0000 %",
    ],
    ["{{ now_utc() > str_to_datetime('2021-01-01') }}", true],
  ],
  "numbers and lists": [
    ["{{ max(2, 3) }}", 3],
    ["{{ max([2, 3]) }}", 3],
    ["{{ min(2, 3) }}", 2],
    ["{{ max(config['start'], '2019-05-05') }}", "2020-01-01"],
    ["{{ 1_000 + 1 }}", 1001],
    ["{{ '1_000' ~ 'x' }}", "1_000x"],
    ["{{ 7 // 2 + 7 % 4 - -1 }}", 7],
    ["{{ -7 // 2 }}", -4],
    ["{{ -7 % 3 }}", 2],
    ["{{ 3 * 'ab' }}", "ababab"],
    ["{{ 'a' ~ 1 ~ none }}", "a1None"],
    ["{{ range(3) | list }}", [0, 1, 2]],
    ["{{ response['items'] | map(attribute='id') | join('-') }}", "1-2"],
    ["{{ response['items'] | selectattr('id', 'equalto', 2) | list | length }}", 1],
    ["{{ [3, 1, 2] | sort | first }}", 1],
    ["{{ '12' | int + 1 }}", 13],
    ["{{ 'x' | int(4) }}", 4],
    ["{{ 2.567 | round(1) }}", 2.6],
  ],
  filters: [
    ["{{ 'Test client_id' | hash('md5', salt='s') }}", "6577616edd5be71a4f44a8749a88238c"],
    ["{{ 'a' | hash }}", "0cc175b9c0f1b6a831c399e269772661"],
    ["{{ 'a' | hash('sha256') }}", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"],
    ["{{ 'user:pass' | base64encode }}", "dXNlcjpwYXNz"],
    ["{{ 'dXNlcjpwYXNz' | base64decode }}", "user:pass"],
    ["{{ '<https://x/?page=2>; rel=\"next\"' | regex_search('<(.*)>') }}", "https://x/?page=2"],
    ["{{ 'order 66 done' | regex_search('\\d+') }}", 66],
    ["{{ 'nothing' | regex_search('[0-9]') }}", null],
    ["{{ 5 | string }}", 5],
    ["{{ 'a b' | replace(' ', '_') | upper }}", "A_B"],
    ["{{ {'a': 1} | tojson }}", { a: 1 }],
    ["{{ 'a/b c' | urlencode }}", "a/b%20c"],
    ["{{ ' x '.strip() ~ 'a,b'.split(',')[1] }}", "xb"],
    ["{{ 'X-1'.lower().startswith('x') }}", true],
    ["{{ '{}-{name}'.format(1, name='n') }}", "1-n"],
  ],
};

describe.each(Object.entries(VALUES))("%s", (_, rows) => {
  test.each(rows)("%s → %j", (source, expected) => expect(valueOf(source)).toEqual(expected));
});

test.each([
  ["{{ '' }}", false],
  ["{{ none }}", false],
  ["{{ [] }}", false],
  ["{{ 0 }}", false],
  ["{{ record.missing.part }}", false],
  ["{{ record.id == 7 }}", true],
  ["{{ 'false' }}", false],
  ["{{ response.paging.next }}", true],
])("as a condition %s is %s", (source, expected) => expect(compileTemplate(source).isTrue(world)).toBe(expected));

const HOSTILE = [
  "{{ config.__proto__ }}",
  "{{ config['__proto__'] }}",
  "{{ config.constructor }}",
  "{{ config['constructor']['constructor'] }}",
  "{{ record.tags.constructor }}",
  "{{ record.name.constructor }}",
  "{{ record.name.__class__.__mro__ }}",
  "{{ record.tags.map }}",
  "{{ now_utc().getTime }}",
  "{{ now_utc().constructor }}",
  "{{ record.tags.length }}",
  "{{ config.hasOwnProperty }}",
  "{{ self }}",
];
test.each(HOSTILE)("%s reaches nothing", (source) => expect(valueOf(source)).toBe(null));

const REFUSED: [string, RegExp][] = [
  ["{{ eval('1') }}", /function eval is not known/],
  ["{{ raise_exception('x') }}", /function raise_exception is not known/],
  ["{{ config | attr('x') }}", /filter attr is not known/],
  ["{{ config | constructor }}", /filter constructor is not known/],
  ["{{ config is constructor }}", /test constructor is not known/],
  ["{{ namespace(a=1) }}", /function namespace is not known/],
  ["{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", /not known/],
  ["{{ process }}", /name process is not known/],
  ["{{ globalThis }}", /name globalThis is not known/],
  ["{{ stream_state['at'] }}", /name stream_state is not known/],
  ["{% for a in config.list %}{{ b }}{% endfor %}", /name b is not known/],
  [`{{ 1 }}${" ".repeat(1001)}`, /1000 blanks/],
  ["{{ 1 + }}", /can't be read/],
  [
    `{{ ${"(".repeat(200)}1${")".repeat(200)} }}${"{{ not ".repeat(1)}${"not ".repeat(300)}1 }}`,
    /nested too deeply|can't be read/,
  ],
];
test.each(REFUSED)("%s is refused when it is read", (source, message) => {
  expect(() => compileTemplate(source)).toThrow(TemplateError);
  expect(() => compileTemplate(source)).toThrow(message);
});

const BOUNDED: [string, RegExp][] = [
  ["{{ 'a' * 100000000 }}", /too long/],
  ["{{ 9 ** 9 ** 9 ** 9 }}", /too large/],
  ["{{ range(1000000000) }}", /at most/],
  [
    "{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}",
    /too long/,
  ],
  ["{% set x = 'a' * 900000 %}{{ x ~ x }}", /too long/],
  ["{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('(a+)+$') }}", /repeats/],
  ["{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('((a|aa))+$') }}", /repeats/],
  ["{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('(a{1,9}){1,9}$') }}", /repeats/],
  ["{{ 'aaaa' | regex_search('a*a*a*a*a*b') }}", /without an end/],
  ["{{ 'aaaa' | regex_search('(a)\\\\1') }}", /refers back/],
  ["{{ 1 / 0 }}", /divided by zero/],
  ["{{ duration('tomorrow') }}", /no duration/],
  ["{{ format_datetime('x', '%Y') }}", /no date and time/],
];
test.each(BOUNDED)("%s ends within bounds and says why", (source, message) => {
  expect(processorTimeOf(() => expect(() => valueOf(source)).toThrow(message))).toBeLessThan(5_000);
});
