"use strict";
// Shows each message of the system. What it holds is in message.py.

const $ = id => document.getElementById(id);
const number = value => value.toLocaleString("en-GB");
const seconds = ms => ms === null ? "–" : `${number(Math.round(ms / 100) / 10)} s`;
const brief = ms => ms === null ? "–" : ms >= 10000 ? `${number(Math.round(ms / 1000))} s` : seconds(ms);
const percent = share => share === null ? "–" : `${Math.round(100 * share)} %`;
const sum = values => Object.values(values).reduce((all, each) => all + each, 0);
const SLOT = 11, WORKER = 58, CAPTION = 170;  // of the workers in the map
const PADDING = 12;  // of its boxes
let last = null, start = null, stream = null, districts = null, isDirty = false;

const found = () => last ? last.incidents : [];
const charts = {};
const CHARTS = {  // labels, smallest top of the scale, values, texts
  rates: [["offered", "done"], 100, m => [m.offered, m.done], m => [number(m.offered), number(m.done)]],
  lag: [["lag"], 100, m => [sum(m.lags)], m => [number(sum(m.lags))]],
  latency: [["p50", "p99"], 1, m => [m.p50_ms, m.p99_ms].map(ms => ms === null ? null : ms / 1000), m => [seconds(m.p50_ms), seconds(m.p99_ms)]],
  workers: [["instances", "workers"], 4, m => [Object.keys(m.instances).length, m.workers], m => [Object.keys(m.instances).length, m.workers]],
};

const open = m => (m.breakers.open || 0) + (m.breakers["half-open"] || 0);
const ends = budget => budget === null ? "–" : budget >= 0 ? percent(budget) : `overspent ${number(Math.round(-100 * budget))} %`;
const VALUES = {  // what a box of the map says while it is up
  sources: m => `${number(m.offered)}/s`,
  connector: m => sum(m.waiting) ? `${number(sum(m.waiting))} wait` : `${number(m.admitted)}/s`,
  log: m => `lag ${number(sum(m.lags))}`,
  job: m => `${number(m.done)}/s · epoch ${m.epoch}`,
  store: m => open(m) ? `${open(m)} of ${sum(m.breakers)} open` : `hits ${percent(m.hit_rate)}`,
  alerts: m => `${number(m.alerts)} · ${number(m.undecided)} undecided`,
  dead: m => number(sum(m.dead)),
  leader: m => `term ${m.term}`,
  scaler: m => `${Object.keys(m.instances).length} on ${m.workers} ${m.workers === 1 ? "worker" : "workers"}` + (m.starting.length ? ` · ${m.starting.length} starting` : ""),
  levels: m => `p99 ${brief(m.p99_ms)} · budget ${m.budget_left !== null && m.budget_left <= 0 ? "spent" : percent(m.budget_left)}`,
};
const NUMBERS = {
  "offered, admitted, done (records/s)": m => [m.offered, m.admitted, m.done].map(number).join(", "),
  "waiting before the log (records)": m => Object.entries(m.waiting).map(([topic, count]) => `${topic} ${number(count)}`).join(", ") || "none",
  "lag of the log (records)": m => number(sum(m.lags)),
  "lag of each partition (records)": m => m.lags.map(number).join(" · "),
  "epoch, term": m => `${m.epoch}, ${m.term}`,
  "down": m => m.down.join(", ") || "nothing",
  "instances, of these starting, workers": m => `${Object.keys(m.instances).length}, ${m.starting.length}, ${m.workers}`,
  "breakers closed, open, half-open": m => ["closed", "open", "half-open"].map(state => m.breakers[state] || 0).join(", "),
  "calls to the store, without answer (per s)": m => `${number(m.calls)}, ${number(m.errors)}`,
  "limits from the cache": m => percent(m.hit_rate),
  "event to alert: p50, p99 (last minute)": m => `${seconds(m.p50_ms)}, ${seconds(m.p99_ms)}`,
  "error budget left (last 5 minutes)": m => ends(m.budget_left),
  "alerts, undecided": m => `${number(m.alerts)}, ${number(m.undecided)}`,
  "dead letters": m => Object.entries(m.dead).map(([reason, count]) => `${number(count)} ${reason}`).join(", ") || "none",
};

function row(cells) {
  const line = document.createElement("tr");
  for (const text of cells) line.appendChild(document.createElement("td")).textContent = text;
  return line;
}

function take(message) {
  if (last && message.at_s === last.at_s) return;
  last = message;
  for (const [name, [, , values]] of Object.entries(CHARTS)) charts[name].add(message.at_s, values(message));
  districts.add(message.fresh);
  if (!isDirty) requestAnimationFrame(draw);
  isDirty = true;
}

function draw() {
  const m = last;
  isDirty = false;
  for (const [name, [, , , texts]] of Object.entries(CHARTS)) charts[name].draw(texts(m));
  for (const id of ["at_s", "alerts", "undecided"]) $(id).textContent = number(m[id]);
  $("dead").textContent = number(sum(m.dead));
  $("pages").textContent = m.pages.some(Boolean) ? "PAGED" : "quiet";
  $("pages").classList.toggle("alarm", m.pages.some(Boolean));
  drawMap(m);
  if (m.compared) drawParts(m.compared);
  drawBars($("partitions"), m.lags);
  const most = Math.max(...m.lags);
  $("largest").textContent = most ? `largest: ${number(most)} records in partition ${m.lags.indexOf(most)}` : "no partition waits";
  meter("budget", m.budget_left, ends(m.budget_left));
  meter("hits", m.hit_rate, percent(m.hit_rate));
  const states = ["closed", "open", "half-open"].filter(state => m.breakers[state]);
  $("breakers").textContent = states.map(state => `${m.breakers[state]} ${state}`).join(" · ") || "–";
  $("breakers").classList.toggle("alarm", open(m) > 0);
  const incidents = m.incidents.map(i => row([i.kind, i.from_s, i.to_s - i.from_s, i.back_s === null ? "not yet" : i.back_s - i.to_s])).reverse();
  $("incidents").tBodies[0].replaceChildren(...(incidents.length ? incidents : [row(["nothing yet", "", "", ""])]));
  $("numbers").tBodies[0].replaceChildren(...Object.entries(NUMBERS).map(([name, text]) => row([name, text(m)])));
}

function drawParts({tasks = {}, differences = []}) {
  const rows = start.parts.map(([part, name, lab, whose, here]) => row([part, name, lab, whose, tasks[name] || here]));
  $("parts").tBodies[0].replaceChildren(...rows);
  $("notes").replaceChildren(...[...differences, ...start.notes].map(note => {
    const line = document.createElement("p");
    line.textContent = note;
    return line;
  }));
}

function write(place, texts) {  // the longest of the texts that fits into the box
  const room = place.parentNode.querySelector("rect").width.baseVal.value - 2 * PADDING;
  for (const text of texts) {
    place.textContent = text;
    if (place.getComputedTextLength() <= room) return;
  }
}

function drawMap(m) {
  const compared = m.compared ? m.compared.boxes : {};
  for (const [box, text] of Object.entries(VALUES)) {
    const isDown = m.down.includes(box), said = box === "store" && open(m) ? `DOWN · ${open(m)} open` : "DOWN";
    for (const part of document.querySelectorAll(`[data-box="${box}"]`)) part.classList.toggle("down", isDown);
    for (const place of document.querySelectorAll(`[data-value="${box}"]`)) write(place, isDown ? [said] : compared[box] || [text(m)]);
  }
  for (const place of document.querySelectorAll("[data-workers]")) {
    const [width, height] = place.dataset.workers.split(" ").map(Number), workers = new Map();
    for (const [name, worker] of Object.entries(m.instances)) workers.set(worker, [...(workers.get(worker) || []), name]);
    const shown = [...workers.keys()].sort((a, b) => a - b).slice(0, Math.floor(width / (WORKER + 8)));
    const right = shown.length * (WORKER + 8), isRoom = width - right > CAPTION;
    const caption = isRoom ? [svg("text", {class: "legend", x: right + 4, y: height / 2 + 4}, "instances in their workers")] : [];
    place.replaceChildren(...caption, ...shown.flatMap((worker, at) => {
      const x = at * (WORKER + 8);
      const slots = workers.get(worker).slice(0, 4).map((name, slot) => {
        const cell = svg("rect", {class: m.starting.includes(name) ? "starting" : "instance", x: x + 6 + slot * (SLOT + 1), y: 6, width: SLOT - 1, height: height - 12, rx: 2});
        cell.append(svg("title", {}, `${name} on worker ${worker}`));
        return cell;
      });
      return [svg("rect", {class: "worker", x, y: 0, width: WORKER, height, rx: 5}), ...slots];
    }));
  }
}

function meter(name, share, text) {
  $(name).textContent = text;
  $(name).classList.toggle("alarm", share !== null && share < 0);
  $(`${name}-meter`).firstElementChild.style.width = `${100 * Math.max(0, Math.min(1, share ?? 0))}%`;
}

const served = {  // by `./lab system up`; a page without a server has `window.recorded` in its place
  start: async () => (await fetch("start.json")).json(),
  inject: async fault => {
    const answer = await fetch(`fault/${fault}`, {method: "POST"});
    return answer.ok ? (await answer.json()).said : `the system rejected ${fault}: ${await answer.text()}`;
  },
  listen: (take, lost) => {
    const events = new EventSource("events");
    events.onmessage = event => take(JSON.parse(event.data));
    events.onerror = lost;
    return events;
  },
};
const system = window.recorded || served;

async function inject(fault) {
  try {
    $("said").textContent = await system.inject(fault);
  } catch {
    $("said").textContent = "the system does not answer; is `./lab system up` still running?";
  }
}

function listen() {
  stream = system.listen(take, () => { $("said").textContent = "the system does not answer; the page tries again by itself" });
}

function pause() {
  const isPaused = $("pause").getAttribute("aria-pressed") === "false";
  $("pause").setAttribute("aria-pressed", isPaused);
  $("pause").textContent = isPaused ? "Go on" : "Pause the view";
  if (isPaused) stream.close(); else listen();
}

async function begin() {
  start = await system.start();
  $("kind").textContent = start.kind;
  $("remark").textContent = start.remark + (window.uPlot ? "" : " uPlot could not be fetched, so the tables stand for the charts.");
  document.body.classList.toggle("no-charts", !window.uPlot);
  for (const [fault, text] of Object.entries(start.faults)) {
    const button = $("faults").appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", () => inject(fault));
  }
  drawParts({});
  for (const [name, [labels, top]] of Object.entries(CHARTS))
    charts[name] = new Lines(document.querySelector(`[data-chart=${name}]`), labels, top, found);
  districts = new Districts($("districts"), start.districts);
  start.history.forEach(take);
  $("pause").addEventListener("click", pause);
  listen();
}

begin();
