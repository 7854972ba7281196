/** Programs that try to break out of the sandbox, to hold it up, or to leave something behind for the next one. */

export interface HostileProgram {
  says: string;
  program: string;
  /** What it gives: nothing of the machine, and nothing of other runs. */
  gives?: unknown;
  /** Code of its failure; several where it depends on what is exhausted first. */
  fails?: string | readonly string[];
}

const run = (body: string): string => `function run(record) { ${body} }`;
const EXHAUSTED = ["code_out_of_memory", "code_timed_out", "code_failed"] as const;

const WITHOUT_END: HostileProgram[] = [
  { says: "loop", program: run("for (;;);"), fails: "code_timed_out" },
  { says: "loop at the beginning", program: "for (;;);", fails: "code_timed_out" },
  { says: "loop in try", program: run("for (;;) { try { for (;;); } catch {} }"), fails: "code_timed_out" },
  { says: "loop in finally", program: run("try { for (;;); } finally { for (;;); }"), fails: "code_timed_out" },
  { says: "recursion", program: run("return run(record);"), fails: "code_failed" },
  {
    says: "recursion caught each time",
    program: run("try { return run(record); } catch { return run(record); }"),
    fails: ["code_timed_out", "code_failed"],
  },
  {
    says: "recursion of two getters",
    program: run("const o = { get a() { return this.b; }, get b() { return this.a; } }; return o.a;"),
    fails: "code_failed",
  },
  {
    says: "recursion through toString",
    program: run("const o = { toString() { return '' + o; } }; return { a: '' + o };"),
    fails: "code_failed",
  },
  {
    says: "recursion through JSON",
    program: run("const o = { toJSON: () => JSON.stringify(o) }; return { a: JSON.stringify(o) };"),
    fails: "code_failed",
  },
  {
    says: "recursion through sort",
    program: run("const f = () => [2, 1].sort(f); return f();"),
    fails: "code_failed",
  },
  {
    says: "recursion of proxies",
    program: run("let p = {}; for (let i = 0; i < 1e5; i += 1) p = new Proxy(p, {}); return { a: p.x };"),
    fails: EXHAUSTED,
  },
  {
    says: "generator without end",
    program: run("function* g() { for (;;) yield 1; } return [...g()];"),
    fails: EXHAUSTED,
  },
  {
    says: "generator that is only walked",
    program: run("function* g() { for (;;) yield 1; } for (const _ of g());"),
    fails: "code_timed_out",
  },
  {
    says: "expression that backtracks",
    program: run("return { a: /^(a+)+$/.test('a'.repeat(60) + 'b') };"),
    fails: "code_timed_out",
  },
  {
    says: "expression with look-behind that backtracks",
    program: run("return { a: /(?<=(x+x+)+)y/.test('x'.repeat(50000)) };"),
    fails: EXHAUSTED,
  },
  {
    says: "expression with huge repetition",
    program: run("return { a: new RegExp('(?:a{1,999}){1,999}'.repeat(50)).test('a'.repeat(9999)) };"),
    fails: EXHAUSTED,
  },
  {
    says: "sorting with a comparison that never agrees",
    program: run("const a = Array.from({ length: 3e5 }, (_, i) => i); for (;;) a.sort(() => Math.random() - 0.5);"),
    fails: "code_timed_out",
  },
  { says: "labels", program: run("a: for (;;) { b: for (;;) continue a; }"), fails: "code_timed_out" },
  { says: "large powers", program: run("return { a: String((10n ** 100000n) ** 1000n) };"), fails: EXHAUSTED },
  {
    says: "promise that resolves itself again",
    program: run("const f = () => Promise.resolve().then(f); f(); return { a: 1 };"),
    gives: { a: 1 },
  },
  {
    says: "iterator that never ends, given to Object.fromEntries",
    program: run("return Object.fromEntries({ [Symbol.iterator]: () => ({ next: () => ({ value: ['a', 1] }) }) });"),
    fails: "code_timed_out",
  },
];

const MEMORY: HostileProgram[] = [
  { says: "list that grows", program: run("const a = []; for (;;) a.push({});"), fails: EXHAUSTED },
  { says: "text that doubles", program: run("let s = 'x'; for (;;) s += s;"), fails: EXHAUSTED },
  { says: "huge repetition", program: run("return { a: 'x'.repeat(2 ** 29) };"), fails: EXHAUSTED },
  { says: "padding", program: run("return { a: 'x'.padEnd(2 ** 30 - 1, 'ab') };"), fails: EXHAUSTED },
  { says: "long list at once", program: run("return { a: new Array(2 ** 32 - 1).fill(0).length };"), fails: EXHAUSTED },
  { says: "typed array", program: run("return { a: new Uint8Array(2 ** 31 - 1).length };"), fails: EXHAUSTED },
  {
    says: "many typed arrays",
    program: run("const a = []; for (;;) a.push(new Float64Array(1e6));"),
    fails: EXHAUSTED,
  },
  {
    says: "resizable buffer",
    program: run(
      "const b = new ArrayBuffer(1, { maxByteLength: 2 ** 40 }); b.resize(2 ** 40); return { a: b.byteLength };",
    ),
    fails: EXHAUSTED,
  },
  { says: "shared buffer", program: run("return { a: new SharedArrayBuffer(2 ** 30).byteLength };"), fails: EXHAUSTED },
  { says: "texts joined", program: run("return { a: new Array(1e7).join('abcdefghij') };"), fails: EXHAUSTED },
  {
    says: "replacement that multiplies",
    program: run("let s = 'aa'; for (;;) s = s.replace(/a/g, '$&$&');"),
    fails: EXHAUSTED,
  },
  {
    says: "map that grows",
    program: run("const m = new Map(); for (let i = 0; ; i += 1) m.set(i, {});"),
    fails: EXHAUSTED,
  },
  { says: "symbols", program: run("const o = {}; for (;;) o[Symbol()] = 1;"), fails: EXHAUSTED },
  {
    says: "functions",
    program: run("const a = []; for (let i = 0; ; i += 1) a.push(new Function('return ' + i));"),
    fails: EXHAUSTED,
  },
  {
    says: "closures chained",
    program: run("let f = () => 1; for (;;) { const g = f; f = () => g; }"),
    fails: EXHAUSTED,
  },
  {
    says: "memory that is given back when the failure is caught",
    program: run("try { const a = []; for (;;) a.push('x'.repeat(1e6) + a.length); } catch {} return { a: 1 };"),
    fails: EXHAUSTED,
    gives: { a: 1 },
  },
  { says: "deep brackets", program: run(`return eval('['.repeat(1e5) + ']'.repeat(1e5));`), fails: EXHAUSTED },
  {
    says: "deep JSON",
    program: run("return { a: JSON.parse('['.repeat(1e6) + ']'.repeat(1e6)).length };"),
    fails: EXHAUSTED,
  },
  { says: "weak references", program: run("const a = []; for (;;) a.push(new WeakRef({}));"), fails: EXHAUSTED },
];

const WAYS_OUT: HostileProgram[] = [
  {
    says: "names of the machine",
    program: run(`return { found: ["process", "require", "module", "exports", "Buffer", "fetch", "XMLHttpRequest",
      "WebSocket", "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "WebAssembly", "Worker", "Deno", "Bun",
      "std", "os", "bjs", "scriptArgs", "print", "console", "performance", "navigator", "window", "self", "global",
      "crypto", "importScripts", "loadScript", "gc", "Atomics"].filter((name) => name in globalThis) };`),
    gives: { found: [] },
  },
  {
    says: "constructor of a constructor",
    program: run("return { a: this === undefined, b: record.constructor.constructor('return typeof process')() };"),
    gives: { a: true, b: "undefined" },
  },
  {
    says: "constructor of an error from inside",
    program: run("try { null.x; } catch (e) { return { a: e.constructor.constructor('return typeof require')() }; }"),
    gives: { a: "undefined" },
  },
  {
    says: "constructor of a stack overflow",
    program: run(`const f = () => f(); try { f(); } catch (e) {
      return { a: e.constructor.constructor('return typeof process')() }; }`),
    gives: { a: "undefined" },
  },
  {
    says: "constructors of generators and of what is asynchronous",
    program: run(`const made = [function* () {}, async () => {}, async function* () {}]
      .map((f) => f.constructor('return typeof process')); return { a: [...made[0]()].length };`),
    gives: { a: 0 },
  },
  { says: "import of a module", program: "import fs from 'node:fs'; function run() {}", fails: "code_syntax" },
  {
    says: "import while it runs",
    program: run("import('node:fs').then((fs) => { globalThis.found = fs; }); return { a: typeof found };"),
    gives: { a: "undefined" },
  },
  { says: "import that is returned", program: run("return import('node:fs');"), fails: "code_result_unusable" },
  { says: "import.meta", program: run("return import.meta;"), fails: "code_syntax" },
  { says: "require", program: run("return require('fs');"), fails: "code_failed" },
  { says: "process", program: run("process.exit(1);"), fails: "code_failed" },
  { says: "arguments.callee.caller", program: run("return arguments.callee.caller;"), fails: "code_failed" },
  { says: "caller of the function", program: run("return { a: String(run.caller) };"), fails: "code_failed" },
  {
    says: "frames of the stack, by Error.prepareStackTrace",
    program: run(`let seen = 0; Error.prepareStackTrace = (_, frames) => {
      for (const frame of frames ?? []) if (typeof frame.getFunction === "function" && frame.getFunction()) seen += 1;
      return ""; }; String(new Error().stack); return { a: typeof seen };`),
    gives: { a: "number" },
  },
  {
    says: "global object by an indirect evaluation",
    program: run("const all = (0, eval)('globalThis'); return { a: typeof all.process };"),
    gives: { a: "undefined" },
  },
  {
    says: "message to the process that looks like a result",
    program: run(`return JSON.parse('{"kind":"done","ok":true}');`),
    gives: { kind: "done", ok: true },
  },
];

const RESULTS: HostileProgram[] = [
  {
    says: "result that contains itself",
    program: run("const o = {}; o.o = o; return o;"),
    fails: "code_result_unusable",
  },
  {
    says: "list that contains itself",
    program: run("const a = []; a.push(a); return { a };"),
    fails: "code_result_unusable",
  },
  { says: "function", program: run("return { a: () => 1 };"), fails: "code_result_unusable" },
  { says: "symbol", program: run("return { a: Symbol.iterator };"), fails: "code_result_unusable" },
  { says: "NaN", program: run("return { a: 0 / 0 };"), fails: "code_result_unusable" },
  { says: "infinity", program: run("return { a: [-1 / 0] };"), fails: "code_result_unusable" },
  {
    says: "large integers keep their digits",
    program: run("return { a: 2n ** 70n, b: 7n };"),
    gives: { a: "1180591620717411303424", b: 7 },
  },
  { says: "promise", program: "async function run() { return { a: 1 }; }", fails: "code_result_unusable" },
  {
    says: "object with a then",
    program: run("return { then(done) { done({ a: 1 }); } };"),
    fails: "code_result_unusable",
  },
  { says: "map", program: run("return new Map([['a', 1]]);"), fails: "code_result_unusable" },
  { says: "error", program: run("return { a: new Error('x') };"), fails: "code_result_unusable" },
  { says: "typed array", program: run("return { a: new Uint8Array(3) };"), fails: "code_result_unusable" },
  {
    says: "own member __proto__",
    program: run(`return JSON.parse('{"__proto__":{"admin":true}}');`),
    fails: "code_result_unusable",
  },
  {
    says: "prototype set in a literal",
    program: run("return { __proto__: { admin: true }, a: 1 };"),
    fails: "code_result_unusable",
  },
  {
    says: "constructor as a field",
    program: run("return { constructor: { prototype: { a: 1 } } };"),
    gives: { constructor: { prototype: { a: 1 } } },
  },
  { says: "getter that throws", program: run("return { get a() { throw new Error('no'); } };"), fails: "code_failed" },
  { says: "getter that never ends", program: run("return { get a() { for (;;); } };"), fails: "code_timed_out" },
  {
    says: "proxy with a name after the other",
    program: run(
      "let n = 0; return new Proxy({}, { ownKeys: () => Array.from({ length: 5e4 }, () => 'k' + (n += 1)), getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }), get: () => 'x'.repeat(100) });",
    ),
    fails: [...EXHAUSTED, "code_result_unusable"],
  },
  {
    says: "proxy of a list that calls itself endless",
    program: run("return { a: new Proxy([], { get: (_, key) => (key === 'length' ? Infinity : 1) }) };"),
    fails: ["code_result_unusable", "code_timed_out"],
  },
  {
    says: "proxy whose traps throw",
    program: run("return new Proxy({}, { getPrototypeOf() { throw 1; }, ownKeys() { throw 2; } });"),
    fails: "code_failed",
  },
  {
    says: "proxy that was revoked",
    program: run("const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;"),
    fails: "code_failed",
  },
  {
    says: "more characters than a result may have",
    program: run("return { a: 'x'.repeat(1000001) };"),
    fails: "code_result_unusable",
  },
  {
    says: "sparse list",
    program: run("const a = []; a[4294967294] = 1; return { a };"),
    fails: ["code_result_unusable", "code_timed_out"],
  },
  {
    says: "deeply nested",
    program: run("let o = {}; for (let i = 0; i < 1e5; i += 1) o = { o }; return o;"),
    fails: "code_result_unusable",
  },
  { says: "date without a time", program: run("return { a: new Date(NaN) };"), fails: "code_failed" },
  {
    says: "date dressed up",
    program: run("const d = Object.create(Date.prototype); return { a: d };"),
    fails: "code_failed",
  },
  { says: "half of a character", program: run("return { a: '\\\\ud800'.length };"), gives: { a: 6 } },
  { says: "toJSON is not asked", program: run("return { a: { toJSON: () => 1 } };"), fails: "code_result_unusable" },
  { says: "nothing at all", program: run(""), gives: null },
  { says: "text in place of an object", program: run("return 'x';"), gives: "x" },
];

const ERRORS: HostileProgram[] = [
  {
    says: "error with a hostile message",
    program: run("throw { get message() { for (;;); } };"),
    fails: "code_timed_out",
  },
  {
    says: "error with a hostile toString",
    program: run("throw { toString() { throw this; } };"),
    fails: "code_failed",
  },
  {
    says: "error whose stack is a proxy",
    program: run("const e = new Error('x'); e.stack = new Proxy({}, {}); throw e;"),
    fails: "code_failed",
  },
  { says: "error with a long message", program: run("throw new Error('x'.repeat(1e6));"), fails: "code_failed" },
  {
    says: "error that lies about its place",
    program: run("const e = new Error('x'); e.stack = 'at code.js:' + '9'.repeat(1e5); throw e;"),
    fails: "code_failed",
  },
  { says: "thrown symbol", program: run("throw Symbol('x');"), fails: "code_failed" },
  { says: "thrown nothing", program: run("throw undefined;"), fails: "code_failed" },
  { says: "thrown proxy", program: run("throw new Proxy({}, { get() { throw 1; } });"), fails: "code_failed" },
  {
    says: "error that passes for an exhausted one",
    program: run("throw new InternalError('interrupted');"),
    fails: "code_failed",
  },
];

const LEFT_BEHIND: HostileProgram[] = [
  {
    says: "prototype of all objects",
    program: run("Object.prototype.Name = 'taken'; Object.prototype.then = 1; return {};"),
    gives: {},
  },
  { says: "prototype by __proto__", program: run("record.__proto__.Name = 'taken'; return {};"), gives: {} },
  {
    says: "names of the global object",
    program: run("globalThis.Name = 'taken'; globalThis.seen = 1; return {};"),
    gives: {},
  },
  {
    says: "JSON replaced",
    program:
      "JSON.stringify = () => '\"taken\"'; JSON.parse = () => ({ Name: 'taken' }); function run(r) { return { Name: r.Name }; }",
    gives: { Name: "acme" },
  },
  {
    says: "methods that writing a result needs replaced",
    program: `Array.isArray = () => false; Object.keys = () => ["taken"]; Reflect.apply = () => "taken";
      String.prototype.slice = () => "taken"; Function.prototype.call = Function.prototype.apply = () => "taken";
      WeakMap.prototype.get = () => "taken"; Array.prototype[Symbol.iterator] = null; Number.isFinite = () => true;
      function run(r) { return { Name: r.Name, list: [1] }; }`,
    gives: { Name: "acme", list: [1] },
  },
  {
    says: "text with a toJSON",
    program: "String.prototype.toJSON = () => 'taken'; function run(r) { return { Name: r.Name }; }",
    gives: { Name: "acme" },
  },
  {
    says: "members of lists that are set",
    program: run("Object.defineProperty(Array.prototype, '0', { set() { throw 1; } }); return { a: [1] };"),
    gives: { a: [1] },
  },
  {
    says: "instances that answer for others",
    program:
      "Object.defineProperty(Date, Symbol.hasInstance, { value: () => true }); function run() { return { a: {} }; }",
    fails: ["code_failed"],
  },
  {
    says: "frozen world",
    program: run(
      "for (const k of Object.getOwnPropertyNames(globalThis)) { try { Object.freeze(globalThis[k]); } catch {} } return {};",
    ),
    gives: {},
  },
  {
    says: "number in disguise",
    program: run("return { a: { '\\u0000number': '1e999999999' } };"),
    fails: "code_result_unusable",
  },
  {
    says: "number in disguise that is no number",
    program: run("return { a: { '\\u0000number': '[1]' } };"),
    fails: "code_result_unusable",
  },
  {
    says: "registered symbols",
    program: run("Symbol.for('x'); globalThis[Symbol.for('x')] = 1; return {};"),
    gives: {},
  },
  {
    says: "finalizer that would run later",
    program: run("new FinalizationRegistry(() => { for (;;); }).register({}, 1); return {};"),
    gives: {},
  },
  { says: "work left for later", program: run("Promise.resolve().then(() => { for (;;); }); return {};"), gives: {} },
];

export const HOSTILE_PROGRAMS: readonly HostileProgram[] = [
  ...WITHOUT_END,
  ...MEMORY,
  ...WAYS_OUT,
  ...RESULTS,
  ...ERRORS,
  ...LEFT_BEHIND,
];
