/** The CRM's one page: find a company, change it by hand, and see what others change. Plain HTML, no dependencies. */

const style = `
:root { color-scheme: light dark; --bg: #f6f4f9; --card: #fff; --line: #e3dfea; --text: #221c2e; --soft: #6b6379; --accent: #6d3fc4; --accent-soft: #efe8fb; --bad: #b3263e; --good: #216b3a; }
@media (prefers-color-scheme: dark) { :root { --bg: #15121b; --card: #1d1926; --line: #332c42; --text: #ece8f4; --soft: #a79fb8; --accent: #b99af5; --accent-soft: #2d2343; --bad: #ff8b9c; --good: #7ccf97; } }
* { box-sizing: border-box; } [hidden] { display: none !important; } body { margin: 0; font: 14px/1.5 system-ui, sans-serif; background: var(--bg); color: var(--text); }
header { display: flex; align-items: center; gap: 12px; padding: 12px 24px; background: var(--card); border-bottom: 1px solid var(--line); }
header svg { color: var(--accent); } header h1 { font-size: 16px; margin: 0; } header p { margin: 0; color: var(--soft); font-size: 13px; }
main { display: grid; grid-template-columns: minmax(280px, 1fr) minmax(340px, 1.2fr) minmax(240px, .8fr); gap: 16px; padding: 16px 24px; max-width: 1440px; margin: 0 auto; align-items: start; }
@media (max-width: 980px) { main { grid-template-columns: 1fr; } }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow: hidden; }
section > h2 { font-size: 13px; margin: 0; padding: 12px 16px; border-bottom: 1px solid var(--line); color: var(--soft); font-weight: 600; }
input, select, button { font: inherit; color: inherit; } input, select { width: 100%; padding: 7px 10px; border: 1px solid var(--line); border-radius: 8px; background: var(--bg); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; } .find { padding: 12px 16px; border-bottom: 1px solid var(--line); }
ul { list-style: none; margin: 0; padding: 0; } .list { max-height: 62vh; overflow: auto; }
.list button { display: block; width: 100%; text-align: left; padding: 9px 16px; border: 0; border-bottom: 1px solid var(--line); background: none; cursor: pointer; }
.list button:hover { background: var(--accent-soft); } .list button[aria-current=true] { background: var(--accent-soft); box-shadow: inset 3px 0 var(--accent); }
.list small, .when { color: var(--soft); font-size: 12px; } .count { padding: 8px 16px; color: var(--soft); font-size: 12px; display: flex; justify-content: space-between; align-items: center; }
form { padding: 16px; display: grid; grid-template-columns: 1fr 1fr; gap: 12px; } label { display: grid; gap: 4px; font-size: 12px; color: var(--soft); } label input, label select { color: var(--text); font-size: 14px; } .wide { grid-column: 1 / -1; }
.bar { grid-column: 1 / -1; display: flex; gap: 8px; align-items: center; } .bar button, .count button, .empty button { padding: 7px 14px; border-radius: 8px; border: 1px solid var(--line); background: none; cursor: pointer; }
.bar button.main { background: var(--accent); border-color: var(--accent); color: var(--card); font-weight: 600; } .bar button:disabled, .count button:disabled { opacity: .5; cursor: default; } .bar .danger { margin-left: auto; color: var(--bad); }
.said { font-size: 13px; } .said[data-kind=good] { color: var(--good); } .said[data-kind=bad] { color: var(--bad); } .empty { padding: 32px 16px; color: var(--soft); text-align: center; }
.changes li { padding: 10px 16px; border-bottom: 1px solid var(--line); } .changes .who { font-size: 12px; font-weight: 600; color: var(--accent); } .changes .what { font-size: 12px; color: var(--soft); overflow-wrap: anywhere; }
@media (prefers-reduced-motion: no-preference) { .changes li.new { animation: glow 2.4s; } @keyframes glow { from { background: var(--accent-soft); } } }`;

const script = `
const $ = (selector) => document.querySelector(selector);
const call = async (path, options = {}) => {
  const response = await fetch('/page/' + path, { ...options, headers: { 'x-crm-page': '1', 'content-type': 'application/json' } });
  const body = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(body.error.message);
  return body;
};
const make = (name, props = {}, ...children) => { const node = Object.assign(document.createElement(name), props); node.append(...children); return node; };
const FIELDS = ['name', 'domain', 'vat_number', 'industry', 'stage', 'employees', 'annual_revenue', 'phone', 'email', 'street', 'postal_code', 'city', 'country', 'owner'];
const NUMBERS = new Set(['employees', 'annual_revenue']);
let opened = null, from = 0, total = 0, lastSeen = '';
const say = (text, kind = 'good') => { $('.said').textContent = text; $('.said').dataset.kind = kind; };
async function find(at = 0) {
  from = at;
  const found = await call('companies?search=' + encodeURIComponent($('#find').value) + '&from=' + from);
  total = found.total;
  $('.list').replaceChildren(...found.companies.map((company) => {
    const button = make('button', { type: 'button', onclick: () => open(company.id) }, make('div', { textContent: company.name }), make('small', { textContent: [company.city, company.country, company.domain].filter(Boolean).join(' · ') }));
    button.setAttribute('aria-current', String(opened?.id === company.id));
    return make('li', {}, button);
  }));
  if (found.companies.length === 0) $('.list').append(make('li', { className: 'empty', textContent: 'No company matches.' }));
  $('#place').textContent = total === 0 ? '' : (from + 1) + '–' + Math.min(from + 50, total) + ' of ' + total.toLocaleString();
  $('#back').disabled = from === 0; $('#on').disabled = from + 50 >= total;
}
function show(company, keep = false) {
  opened = company;
  $('#nothing').hidden = Boolean(company); $('form').hidden = !company;
  if (!company) return;
  const edited = keep ? new Set(FIELDS.filter((name) => $('#' + name).dataset.touched)) : new Set();
  for (const name of FIELDS) if (!edited.has(name)) { $('#' + name).value = company[name] ?? ''; delete $('#' + name).dataset.touched; }
  $('#remove').hidden = !company.id; $('#title').textContent = company.id ? 'Company ' + company.id : 'New company';
}
async function open(id) { show(await call('companies/' + id)); say(''); void find(from); }
async function save(event) {
  event.preventDefault();
  const values = Object.fromEntries(FIELDS.map((name) => { const text = $('#' + name).value.trim(); return [name, text === '' ? null : NUMBERS.has(name) ? Number(text) : text]; }));
  try {
    show(await call(opened.id ? 'companies/' + opened.id : 'companies', { method: opened.id ? 'PATCH' : 'POST', body: JSON.stringify(values) }));
    say('Saved.'); void find(from); void watch();
  } catch (error) { say(error.message, 'bad'); }
}
async function remove() {
  if (!confirm('Delete ' + opened.name + '?')) return;
  try { await call('companies/' + opened.id, { method: 'DELETE' }); show(null); void find(from); void watch(); } catch (error) { say(error.message, 'bad'); }
}
async function watch() {
  const { changes } = await call('changes');
  const isNew = (change) => lastSeen !== '' && change.at > lastSeen;
  if (opened?.id && changes.some((change) => isNew(change) && change.id === opened.id && change.by === 'Accord')) { try { show(await call('companies/' + opened.id), true); say('Accord just changed this company.'); } catch { show(null); } }
  $('.changes').replaceChildren(...changes.slice(0, 30).map((change) => make('li', { className: isNew(change) ? 'new' : '' },
    make('div', { className: 'who', textContent: change.by + ' ' + change.kind }), make('div', { textContent: change.name }),
    ...change.details.map((detail) => make('div', { className: 'what', textContent: detail })), make('div', { className: 'when', textContent: new Date(change.at).toLocaleTimeString() }))));
  if (changes.length === 0) $('.changes').append(make('li', { className: 'empty', textContent: 'Nothing changed since the CRM was started.' }));
  lastSeen = changes[0]?.at ?? lastSeen ?? '';
}
let typing; $('#find').addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(() => void find(0), 150); });
$('#back').onclick = () => find(from - 50); $('#on').onclick = () => find(from + 50); $('form').addEventListener('submit', save); $('#remove').onclick = remove;
$('#new').onclick = () => { show({ stage: 'prospect' }); say(''); $('#name').focus(); };
for (const name of FIELDS) $('#' + name).addEventListener('input', (event) => { event.target.dataset.touched = '1'; });
const wanted = new URLSearchParams(location.search).get('company'); if (wanted) void open(wanted); else show(null);
void find(0); void watch(); setInterval(() => void watch().catch(() => {}), 1500);`;

const field = (name: string, label: string, more = ""): string =>
  `<label${name === "name" || name === "street" ? ' class="wide"' : ""}>${label}<input id="${name}" ${more}></label>`;

export const crmPage = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbor CRM</title><style>${style}</style></head><body>
<header><svg width="28" height="28" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M12 6v15M5 12H3a9 9 0 0 0 18 0h-2"/><circle cx="12" cy="4" r="2"/></svg><div><h1>Harbor CRM</h1><p>A sample system that Accord keeps in agreement with Billing. Change a company here and watch.</p></div></header>
<main>
<section aria-labelledby="h-find"><h2 id="h-find">Companies</h2><div class="find"><input id="find" type="search" placeholder="Name, domain or city" aria-label="Find a company"></div><ul class="list"></ul>
<div class="count"><button type="button" id="back">Back</button><span id="place" aria-live="polite"></span><button type="button" id="on">Next</button></div></section>
<section aria-labelledby="title"><h2 id="title">Company</h2><div id="nothing" class="empty">Choose a company on the left,<br>or <button type="button" id="new">add a new one</button></div>
<form hidden>${field("name", "Name", "required maxlength=300")}${field("domain", "Domain")}${field("vat_number", "VAT number")}${field("industry", "Industry")}
<label>Stage<select id="stage"><option value="prospect">Prospect</option><option value="customer">Customer</option><option value="former">Former customer</option></select></label>
${field("employees", "Employees", "type=number min=0 step=1")}${field("annual_revenue", "Annual revenue", "type=number min=0 step=any")}${field("phone", "Phone", "type=tel")}${field("email", "E-mail", "type=email")}${field("street", "Street")}${field("postal_code", "Postal code")}${field("city", "City")}${field("country", "Country", "maxlength=2")}${field("owner", "Owner")}
<div class="bar"><button class="main">Save</button><span class="said" role="status"></span><button type="button" class="danger" id="remove">Delete</button></div></form></section>
<section aria-labelledby="h-changes"><h2 id="h-changes">Latest changes</h2><ul class="changes"></ul></section>
</main><script>${script}</script></body></html>`;
