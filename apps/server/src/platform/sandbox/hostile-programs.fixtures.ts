/**
 * Programs that try to get out of their sandbox, or to harm the server from inside. Each is the body of a function;
 * `leak(what)` says that it got something. `expect`: how it has to end; without it, it may simply not succeed.
 */
export interface Hostile {
  name: string;
  code: string;
  /** What the caller sees; the default is that the program runs to its end with nothing to show. */
  fails?: RegExp;
  /** Seconds of the call, where the program has to be ended. */
  callMs?: number;
}

/** Tries them one after the other and leaks what comes of any. */
const tries = (...attempts: string[]): string =>
  attempts.map((attempt) => `try { leak(await (${attempt})()) } catch (error) { note(error) }`).join("\n");

const files: Hostile[] = [
  { name: "reads /etc/passwd", code: tries('() => fs.readFileSync("/etc/passwd", "utf8")') },
  { name: "reads /etc/passwd by promises", code: tries('() => fs.promises.readFile("/etc/passwd", "utf8")') },
  { name: "reads /etc/passwd by import", code: tries('() => import("/etc/passwd", { with: { type: "json" } })') },
  { name: "reads /etc/passwd by require", code: tries('() => module.createRequire("/")("/etc/passwd")') },
  {
    name: "reads the server's environment",
    code: tries(
      '() => fs.readFileSync("/proc/1/environ", "utf8")',
      '() => fs.readFileSync("/proc/self/environ", "utf8")',
      // Bubblewrap itself sets PWD.
      '() => Object.keys(process.env).filter((name) => name !== "PWD").join()',
    ),
  },
  {
    name: "lists the root of the machine",
    code: tries('() => fs.readdirSync("/home")', '() => fs.readdirSync("/root")'),
  },
  { name: "walks out by ..", code: tries('() => fs.readFileSync("/accord/../etc/passwd", "utf8")') },
  {
    name: "makes a symlink and reads through it",
    code: tries('() => { fs.symlinkSync("/etc", "/tmp/e"); return fs.readdirSync("/tmp/e") }'),
  },
  {
    name: "writes into its own folder",
    code: tries('() => { fs.writeFileSync("/accord/x.mjs", "x"); return "written" }'),
  },
  { name: "opens the disk", code: tries('() => fs.openSync("/dev/sda", "r")', '() => fs.openSync("/dev/mem", "r")') },
  {
    name: "talks to the socket of a database",
    code: tries(
      '() => new Promise((ok, no) => net.connect("/var/run/postgresql/.s.PGSQL.5432").on("connect", () => ok("connected")).on("error", no))',
    ),
  },
  {
    name: "fills /tmp",
    code: 'try { for (let i = 0; i < 1000; i++) { fs.writeFileSync("/tmp/f" + i, Buffer.alloc(1e6)); if (i > 20) leak("20 MB") } } catch (error) { note(error) }',
  },
];

const network: Hostile[] = [
  { name: "fetches an address outside", code: tries('() => fetch("http://1.1.1.1/")') },
  { name: "fetches the canary on this machine", code: tries("() => fetch(`http://127.0.0.1:${canary}/`)") },
  {
    name: "connects by TCP",
    code: tries(
      '() => new Promise((ok, no) => net.connect(canary, "127.0.0.1").on("connect", () => ok("connected")).on("error", no))',
    ),
  },
  {
    name: "connects by IPv6",
    code: tries(
      '() => new Promise((ok, no) => net.connect(canary, "::1").on("connect", () => ok("connected")).on("error", no))',
    ),
  },
  { name: "asks the metadata service", code: tries('() => fetch("http://169.254.169.254/latest/meta-data/")') },
  {
    name: "listens",
    code: tries('() => new Promise((ok, no) => net.createServer().listen(0, () => ok("listening")).on("error", no))'),
  },
  {
    name: "sends a datagram",
    code: tries(
      '() => new Promise((ok, no) => { const s = dgram.createSocket("udp4"); s.on("error", no); s.send("x", 53, "8.8.8.8", (e) => e ? no(e) : ok("sent")) })',
    ),
  },
  {
    name: "asks a name server",
    code: tries('() => dns.promises.resolve4("example.com")', '() => dns.promises.lookup("example.com")'),
  },
  {
    name: "opens a WebSocket",
    code: tries(
      "() => new Promise((ok, no) => { const s = new WebSocket(`ws://127.0.0.1:${canary}/`); s.onopen = () => ok(1); s.onerror = no })",
    ),
  },
];

const processes: Hostile[] = [
  {
    name: "starts a shell",
    code: tries(
      '() => child.execSync("id").toString()',
      '() => child.spawnSync("/bin/sh", ["-c", "id"]).stdout.toString() || Promise.reject()',
    ),
  },
  {
    name: "starts Node again on its own pipes",
    code: tries(
      '() => (child.spawnSync("/node", ["-v"], { stdio: "inherit" }).status === 0 ? "started" : Promise.reject())',
    ),
  },
  {
    name: "starts Node again",
    code: tries(
      '() => child.execFileSync("/node", ["-p", "1"]).toString()',
      '() => child.fork("/accord/synapse/main.mjs").pid ?? Promise.reject()',
    ),
  },
  {
    name: "starts a worker",
    code: tries(
      '() => new Promise((ok, no) => new workers.Worker("postMessage(1)", { eval: true }).on("message", ok).on("error", no))',
    ),
  },
  {
    name: "loads an addon",
    code: tries('() => { process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libc.so.6"); return "loaded" }'),
  },
  {
    name: "takes an internal binding",
    code: tries(
      '() => process.binding("spawn_sync").spawn({ file: "/node", args: ["/node", "-v"], stdio: [] }).pid',
      '() => process.binding("fs").open("/etc/passwd", 0, 0)',
    ),
    // Node ends itself where its own calls are refused.
    fails: /^none$|ended by signal/,
  },
  {
    name: "uses WASI",
    code: tries(
      'async () => { const { WASI } = await import("node:wasi"); return new WASI({ version: "preview1", preopens: { "/": "/etc" } }) && fs.readdirSync("/etc") }',
    ),
  },
  {
    name: "opens the inspector",
    code: tries(
      'async () => { const inspector = await import("node:inspector"); inspector.open(0, "127.0.0.1"); return inspector.url() }',
    ),
  },
  {
    name: "signals the server",
    code: tries(
      "() => process.kill(process.ppid, 'SIGKILL') && note('sent')",
      `() => process.kill(serverPid, "SIGKILL") && "sent"`,
    ),
  },
  { name: "signals everybody", code: tries("() => note(process.kill(-1, 'SIGKILL'))"), fails: /^none$|ended/ },
  {
    name: "gives itself rights",
    code: tries(
      "() => { process.setuid(0); return process.getuid() === 0 ? 'root' : Promise.reject() }",
      "() => { process.permission.has = () => true; return fs.readFileSync('/etc/passwd', 'utf8') }",
    ),
  },
  {
    name: "bombs with forks",
    code: "for (let i = 0; i < 1000; i++) { try { child.spawn('/node', ['-e', 'for(;;){}'], { stdio: 'inherit' }).on('error', note).on('spawn', () => leak('a fork')) } catch (error) { note(error) } }",
  },
  { name: "ends by itself", code: "process.exit(7)", fails: /ended by itself with code 7/ },
  { name: "aborts", code: "process.abort()", fails: /ended by signal/ },
  {
    name: "dies of a stray error",
    code: "setTimeout(() => { throw new Error('stray') }); await new Promise(() => {})",
    fails: /ended by itself/,
  },
];

const resources: Hostile[] = [
  {
    name: "bombs with memory of the heap",
    code: "const all = []; for (;;) all.push(new Array(1e5).fill({}))",
    fails: /memory|ended by/,
  },
  {
    name: "bombs with buffers",
    code: "const all = []; for (;;) all.push(Buffer.alloc(5e7, 1)); ",
    fails: /memory|allocation|ended by/i,
  },
  {
    name: "bombs with WebAssembly",
    code: "const all = []; for (;;) { const m = new WebAssembly.Memory({ initial: 1000 }); new Uint8Array(m.buffer).fill(1); all.push(m) }",
    fails: /memory|allocate|ended by/i,
  },
  {
    name: "bombs with shared memory",
    code: "const all = []; for (;;) { const m = new SharedArrayBuffer(5e7); new Uint8Array(m).fill(1); all.push(m) }",
    fails: /memory|allocation|ended by/i,
  },
  {
    name: "bombs with a text",
    code: "let text = 'x'; for (;;) text += text + text.at(-1)",
    fails: /Invalid string length|memory|ended by/,
  },
  { name: "loops for ever", code: "for (;;) {}", callMs: 1_500, fails: /did not answer within 1.5 s/ },
  {
    name: "loops in an expression",
    code: "/^(a+)+$/.test('a'.repeat(60) + '!')",
    callMs: 1_500,
    fails: /did not answer/,
  },
  { name: "loops in promises", code: "for (;;) await null", callMs: 1_500, fails: /did not answer/ },
  { name: "uses all of the processor", code: "for (;;) {}", fails: /processor|ended by signal/ },
  { name: "never answers", code: "await new Promise(() => {})", callMs: 1_500, fails: /did not answer/ },
  {
    name: "opens files without end",
    code: 'try { for (let i = 0; i < 1e4; i++) fs.openSync("/accord/synapse/main.mjs"); leak("10,000 files") } catch (error) { note(error) }',
  },
];

const pipe = `const say = async (data) => {
  for (let rest = Buffer.from(data); rest.length > 0; ) {
    try { rest = rest.subarray(fs.writeSync(3, rest)) } catch (error) { if (error.code !== "EAGAIN") throw error; await new Promise((go) => setTimeout(go, 1)) }
  }
};`;
const messages: Hostile[] = [
  {
    name: "answers twice",
    code: `${pipe} await say('{"reply":3,"result":null}\\n{"reply":3,"result":null}\\n'); await new Promise(() => {})`,
    fails: /^null$/,
  },
  {
    name: "answers another's call",
    code: `${pipe} await say('{"reply":999,"result":null}\\n'); await new Promise(() => {})`,
    fails: /nobody waits for/,
  },
  {
    name: "sends what is no JSON",
    code: `${pipe} await say('{{{\\n'); await new Promise(() => {})`,
    fails: /no message/,
  },
  { name: "sends a list", code: `${pipe} await say('[1]\\n'); await new Promise(() => {})`, fails: /no message/ },
  { name: "sends null", code: `${pipe} await say('null\\n'); await new Promise(() => {})`, fails: /no message/ },
  {
    name: "sends bytes that are no text",
    code: `${pipe} await say(Buffer.from([0xff, 0xfe, 0, 10])); await new Promise(() => {})`,
    fails: /no message/,
  },
  { name: "sends a message without an end", code: `${pipe} for (;;) await say('x'.repeat(1e6))`, fails: /too long/ },
  { name: "answers with more than a message may hold", code: "return 'x'.repeat(1.2e7)", fails: /too long/ },
  {
    name: "answers nested without end",
    code: `${pipe} await say('{"reply":3,"result":' + '['.repeat(1e6) + ']'.repeat(1e6) + '}\\n'); await new Promise(() => {})`,
    fails: /no message|levels/,
  },
  {
    name: "pollutes prototypes",
    code: `${pipe} await say('{"reply":3,"result":{"__proto__":{"polluted":1}}}\\n'); await new Promise(() => {})`,
    fails: /__proto__/,
  },
  {
    name: "pollutes prototypes by escapes",
    code: `${pipe} await say('{"reply":3,"result":{"\\\\u005f_proto__":{"polluted":1}}}\\n'); await new Promise(() => {})`,
    fails: /__proto__/,
  },
  {
    name: "floods with requests",
    code: `${pipe} for (let i = 0; ; i++) await say(JSON.stringify({ ask: i, call: 3, name: "send", args: {} }) + "\\n")`,
    fails: /too many requests/,
  },
  {
    name: "asks for a call that there is not",
    code: `${pipe} await say('{"ask":1,"call":77,"name":"send"}\\n'); await new Promise(() => {})`,
    fails: /there is not/,
  },
  {
    name: "asks without a name",
    code: `${pipe} await say('{"ask":1,"call":3}\\n'); await new Promise(() => {})`,
    fails: /no question/,
  },
  {
    name: "floods its log",
    code: "for (;;) try { fs.writeSync(1, 'x'.repeat(1e4)) } catch (error) { if (error.code !== 'EAGAIN') throw error }",
    fails: /to its log/,
  },
  {
    name: "does not read what it is sent",
    code: `${pipe} for (let i = 0; i < 500; i++) await say(JSON.stringify({ ask: i, call: 3, name: "big", args: {} }) + "\\n"); for (;;) {}`,
    callMs: 4_000,
    fails: /./,
  },
  { name: "is ready again and again", code: `${pipe} for (let i = 0; i < 1e4; i++) await say('{"ready":true}\\n')` },
  { name: "throws no error", code: "throw null", fails: /null/ },
  { name: "throws a huge error", code: "throw new Error('x'.repeat(5e6))", fails: /^x{2000}$/ },
  {
    name: "throws what throws when it is looked at",
    code: "throw new Proxy({}, { get() { throw new Error('trap') } })",
    fails: /./,
    callMs: 3_000,
  },
];

export const HOSTILE: readonly Hostile[] = [...files, ...network, ...processes, ...resources, ...messages];
