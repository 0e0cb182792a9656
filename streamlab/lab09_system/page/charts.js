"use strict";
// Draws what a table cannot show: lines by uPlot, if it is here, and bars and districts as SVG. Texts never become HTML.

const SECONDS = 240, HEIGHT = 128, LATE_MS = 30000, SHOWN_S = 5, NS = "http://www.w3.org/2000/svg";

function svg(tag, attributes, text) {
  const element = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

const short = value => value >= 1e6 ? `${+(value / 1e6).toFixed(1)} M` : value >= 1e4 ? `${Math.round(value / 1e3)} k` : String(+value.toFixed(1));
const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

class Lines {  // one or two lines over the last seconds, with a key that shows the newest values
  constructor(figure, labels, unit, incidents) {
    this.labels = labels; this.unit = unit; this.incidents = incidents;
    this.data = [[], ...labels.map(() => [])];
    this.key = figure.appendChild(document.createElement("p"));
    this.key.className = "key";
    this.values = labels.map((label, at) => {
      const part = this.key.appendChild(document.createElement("span")), sample = svg("svg", {viewBox: "0 0 22 8", "aria-hidden": "true"});
      sample.append(svg("path", {d: "M0 4H22", "stroke-width": 2, stroke: "currentColor", "stroke-dasharray": at ? "5 3" : "none"}));
      sample.style.color = `var(${at ? "--second" : "--first"})`;
      part.append(sample, `${label} `);
      return part.appendChild(document.createElement("b"));
    });
    this.place = figure.appendChild(document.createElement("div"));
    this.place.className = "chart";
    if (!window.uPlot) return;
    this.make();
    new ResizeObserver(() => this.plot.setSize({width: this.place.clientWidth, height: HEIGHT})).observe(this.place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.make());
  }

  make() {
    if (this.plot) this.plot.destroy();
    const axis = {stroke: colour("--soft"), font: "12px system-ui, sans-serif", grid: {stroke: colour("--grid"), width: 1}, ticks: {show: false}};
    const line = at => ({stroke: colour(at ? "--second" : "--first"), width: 2, dash: at ? [5, 3] : undefined, points: {show: false}});
    this.plot = new uPlot({
      width: this.place.clientWidth || 260, height: HEIGHT, legend: {show: false}, cursor: {show: false}, padding: [8, 6, 0, 0],
      scales: {x: {time: false, range: (u, from, to) => [Math.max(0, to - SECONDS), Math.max(to, SECONDS)]}, y: {range: (u, low, high) => [0, Math.max(this.unit, 1.1 * high)]}},
      axes: [{...axis, size: 24, gap: 2, space: 50}, {...axis, size: 44, gap: 4, space: 28, values: (u, all) => all.map(short)}],
      series: [{}, ...this.labels.map((label, at) => line(at))],
      hooks: {drawClear: [u => this.bands(u)]},
    }, this.data, this.place);
  }

  bands(u) {  // the seconds of each incident
    const {left, top, width, height} = u.bbox;
    u.ctx.save();
    u.ctx.beginPath(); u.ctx.rect(left, top, width, height); u.ctx.clip();
    u.ctx.fillStyle = colour("--band");
    for (const each of this.incidents()) {
      const from = u.valToPos(each.from_s, "x", true), to = u.valToPos(each.to_s, "x", true);
      u.ctx.fillRect(from, top, Math.max(3, to - from), height);
    }
    u.ctx.restore();
  }

  add(at_s, values) {
    if (at_s < this.data[0].at(-1)) this.data.forEach(each => { each.length = 0 });
    [at_s, ...values].forEach((value, at) => { this.data[at].push(value); if (this.data[at].length > SECONDS) this.data[at].shift() });
  }

  draw(texts) {
    this.values.forEach((value, at) => { value.textContent = texts[at] });
    if (this.plot) this.plot.setData(this.data);
  }
}

function drawBars(place, lags) {
  const step = 288 / lags.length, most = Math.max(100, ...lags), room = 176;
  place.replaceChildren(...lags.flatMap((lag, at) => {
    const height = Math.max(1, room * lag / most);
    return [svg("rect", {class: "bar", x: at * step + 2, y: room + 4 - height, width: step - 4, height}), svg("text", {x: (at + .5) * step, y: room + 20}, at)];
  }));
}

class Districts {  // one for each group of accounts; a dot for each alert
  constructor(place, districts) {
    const points = districts.map(([, ring]) => ring.map(([lon, lat]) => [lon * Math.cos(lat * Math.PI / 180), -lat]));
    const all = points.flat(), low = at => Math.min(...all.map(p => p[at])), high = at => Math.max(...all.map(p => p[at]));
    const scale = 276 / (high(0) - low(0)), x = p => 6 + scale * (p[0] - low(0)), y = p => 6 + scale * (p[1] - low(1));
    place.setAttribute("viewBox", `0 0 288 ${Math.ceil(12 + scale * (high(1) - low(1)))}`);
    this.centres = points.map(ring => {
      const xs = ring.map(x), ys = ring.map(y), middle = of => (Math.min(...of) + Math.max(...of)) / 2;
      return [middle(xs), middle(ys)];
    });
    points.forEach((ring, at) => {
      const shape = svg("polygon", {class: "district", points: ring.map(p => `${x(p).toFixed(1)},${y(p).toFixed(1)}`).join(" ")});
      shape.append(svg("title", {}, `${districts[at][0]}: group ${at}`));
      place.append(shape);
    });
    this.dots = place.appendChild(svg("g", {}));
    this.centres.forEach(([cx, cy], at) => place.append(svg("text", {x: cx, y: cy + 4}, at)));
    this.turn = 0;
  }

  add(alerts) {  // those of the last seconds
    const second = svg("g", {});
    for (const {group, late_ms} of alerts) {
      const [cx, cy] = this.centres[group % this.centres.length], angle = 2.4 * this.turn++, far = 10 + 7 * this.turn % 8;
      second.append(svg("circle", {class: late_ms > LATE_MS ? "dot late" : "dot", cx: cx + far * Math.cos(angle), cy: cy + far * Math.sin(angle), r: 2.5}));
    }
    this.dots.append(second);
    if (this.dots.childElementCount > SHOWN_S) this.dots.firstChild.remove();
  }
}
